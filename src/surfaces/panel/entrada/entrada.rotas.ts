import { opcional } from '../../../domain/campos/campos.ts';
import { texto } from '../../../domain/campos/leitores.ts';
import { atorDoUsuario } from '../../../domain/actor.ts';
import { Recusa } from '../../../domain/erros.ts';
import { html } from '../../../kit/html/html.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import { voltaSegura } from '../pedido.ts';
import { publico, semFator } from '../rota.ts';
import type { Desfecho, Rota } from '../rota.ts';
import { formularioDeEntrada, telaDeEntrada } from './telas.ts';

const PARA = { pronta: '', segundo_fator: '/entrar/fator', cadastrar_fator: '/entrar/novo-fator' } as const;

const comoTexto = (valor: unknown): string => (typeof valor === 'string' ? valor : '');

export const ENTRADA: readonly Rota[] = [
  publico.pagina('/entrar', {
    permissao: null,
    consulta: { volta: opcional(texto(1, 500)) },
    mostrar: async ({ consulta: { volta = '' } }) => ({ tela: telaDeEntrada(EM_BRANCO, voltaSegura(volta)) }),
  }),

  publico.acao('/entrar', {
    permissao: null,
    campos: { email: 'texto', senha: 'segredo', volta: 'texto', de_novo: 'texto' },
    async fazer({ dados, sessao: { provedor }, servicos, ip, agente }): Promise<Desfecho> {
      const email = comoTexto(dados['email']);
      const volta = voltaSegura(comoTexto(dados['volta']));
      const deNovo = dados['de_novo'] !== undefined;
      try {
        const { texto: sessao, proximo } = await servicos.sessoes.entrar(provedor, {
          email,
          senha: comoTexto(dados['senha']),
          ip,
          agente,
        });
        if (deNovo && proximo === 'pronta') return { parte: html``, sessao, gatilho: 'sessao-renovada' };
        return { ir: proximo === 'pronta' ? volta : PARA[proximo], sessao };
      } catch (error) {
        if (!(error instanceof Recusa)) throw error;
        const estado = { digitado: new Map([['email', [email]]]), faltas: [], recusa: 'E-mail ou senha não conferem.' };
        if (deNovo) return { parte: formularioDeEntrada(estado), status: 422 };
        return { tela: telaDeEntrada(estado, volta), status: 422 };
      }
    },
  }),

  semFator.acao('/sair', {
    permissao: null,
    async fazer({ sessao, servicos, ip }) {
      await servicos.sessoes.sair(atorDoUsuario(sessao.usuario, ip), sessao);
      return { ir: '/entrar', feito: 'saiu', sessao: null };
    },
  }),
];
