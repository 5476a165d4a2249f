import { atorDoUsuario } from '../../../domain/actor.ts';
import { Recusa } from '../../../domain/erros.ts';
import type { Entrada } from '../../../domain/usuarios/sessoes/entrada.service.ts';
import { html } from '../../../kit/html/html.ts';
import { comConsulta } from '../componentes/tabela.ts';
import { lerPasskey, lugarDe } from '../fatores/passkey.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { comoTexto } from '../formulario/leitura.ts';
import { CONSULTA_DA_VOLTA, voltaSegura } from '../pedido.ts';
import { publico, semFator } from '../rota.ts';
import type { Chamada, Desfecho, Rota, Tela } from '../rota.ts';
import type { Visita } from '../sessao.ts';
import { cadastroNoDialogo, fatorNoDialogo, formularioDeEntrada, telaDeEntrada } from './telas.ts';

/** Where somebody goes on, by what is still to do. */
function adiante(proximo: Entrada['proximo'], volta: string): string {
  if (proximo === 'pronta') return volta;
  return comConsulta(proximo === 'segundo_fator' ? '/entrar/fator' : '/entrar/novo-fator', { volta });
}

async function tela(
  { servicos, sessao: { provedor }, origem }: Pick<Chamada<unknown, unknown, Visita>, 'servicos' | 'sessao' | 'origem'>,
  estado: EstadoDoFormulario,
  volta: string,
): Promise<Tela> {
  return telaDeEntrada(estado, volta, await servicos.sessoes.iniciarPasskey(provedor, lugarDe({ origem })));
}

const incorretas = (error: unknown): boolean => error instanceof Recusa && error.motivo === 'credenciais_incorretas';

export const ENTRADA: readonly Rota[] = [
  publico.pagina('/entrar', {
    permissao: null,
    consulta: CONSULTA_DA_VOLTA,
    mostrar: async (chamada) => ({ tela: await tela(chamada, EM_BRANCO, voltaSegura(chamada.consulta.volta ?? '')) }),
  }),

  publico.acao('/entrar', {
    permissao: null,
    campos: { email: 'texto', senha: 'segredo', volta: 'texto', de_novo: 'texto' },
    async fazer(chamada): Promise<Desfecho> {
      const { dados, sessao: visita, servicos, deOnde, agente, origem } = chamada;
      const { provedor } = visita;
      const email = comoTexto(dados['email']);
      const volta = voltaSegura(comoTexto(dados['volta']));
      const deNovo = dados['de_novo'] !== undefined;
      try {
        const quem = { email, senha: comoTexto(dados['senha']), ...deOnde, agente };
        const { texto: sessao, proximo } = await servicos.tentativas.signIn(provedor.id, email, deOnde.ip, async () =>
          servicos.sessoes.entrar(provedor, quem),
        );
        if (!deNovo) return { ir: adiante(proximo, volta), sessao };
        if (proximo === 'pronta') return { parte: html``, sessao, gatilho: 'sessao-renovada' };
        if (proximo === 'cadastrar_fator') return { parte: cadastroNoDialogo(), sessao };
        const registro = await servicos.sessoes.porTexto(sessao);
        return {
          parte: fatorNoDialogo(null, await servicos.sessoes.pedirPasskey(registro, lugarDe({ origem }))),
          sessao,
        };
      } catch (error) {
        if (!incorretas(error)) throw error;
        const estado = { digitado: new Map([['email', [email]]]), faltas: [], recusa: 'E-mail ou senha não conferem.' };
        if (deNovo) return { parte: formularioDeEntrada(estado), status: 422 };
        return { tela: await tela(chamada, estado, volta), status: 422 };
      }
    },
  }),

  publico.acao('/entrar/passkey', {
    permissao: null,
    campos: { desafio: 'texto', resposta: 'texto', volta: 'texto' },
    async fazer(chamada): Promise<Desfecho> {
      const { dados, sessao: visita, servicos, deOnde, agente, origem } = chamada;
      const volta = voltaSegura(comoTexto(dados['volta']));
      const dado = { passkey: lerPasskey(dados), lugar: lugarDe({ origem }) };
      try {
        const { texto: sessao, proximo } = await servicos.tentativas.unnamed(deOnde.ip, async () =>
          servicos.sessoes.entrarPorPasskey(visita.provedor, dado, { ...deOnde, agente }),
        );
        return { ir: adiante(proximo, volta), sessao };
      } catch (error) {
        if (!incorretas(error)) throw error;
        const recusa =
          'A chave de acesso não é de ninguém deste painel, ou a página ficou aberta demais. Tente de novo.';
        return { tela: await tela(chamada, { ...EM_BRANCO, recusa }, volta), status: 422 };
      }
    },
  }),

  semFator.acao('/sair', {
    permissao: null,
    // Who signs in as somebody else, before he is in, goes on to where he wanted to go.
    campos: { volta: 'texto' },
    async fazer({ sessao, servicos, dados, deOnde }) {
      await servicos.sessoes.sair(atorDoUsuario(sessao.usuario, deOnde), sessao);
      const volta = voltaSegura(comoTexto(dados['volta']));
      return { ir: comConsulta('/entrar', { volta }), feito: 'saiu', sessao: null };
    },
  }),
];
