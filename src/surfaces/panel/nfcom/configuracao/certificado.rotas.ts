import { readFile } from 'node:fs/promises';
import { Recusa, faltaEm } from '../../../../domain/erros.ts';
import { provaRecente } from '../../../../domain/usuarios/sessoes/sessoes.regras.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao, ficha } from '../../componentes/cartao.ts';
import { instante, quantos } from '../../componentes/escrita.ts';
import { arquivo as campoDeArquivo, entrada } from '../../formulario/campos.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { botao, formulario } from '../../formulario/formulario.ts';
import { comoTexto } from '../../formulario/leitura.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { CAMINHO } from './configuracao.ts';

const permissao = 'nfcom.configurar';
const AQUI = `${CAMINHO}/certificado`;
/** A PFX with its chain has some KiB. */
const MAIOR_PFX = 64 * 1024;
const ROTULOS = { certificado: 'Arquivo do certificado', senha: 'Senha do certificado' };

/** A file cannot wait while somebody proves who he is, so its form is shown after he has. */
async function tela({ dominio, sessao, agora }: Chamada, estado: EstadoDoFormulario): Promise<Tela> {
  const certificado = await dominio.certificadoNfcom.buscar();
  const provado = provaRecente(sessao.sessao, agora);
  return {
    titulo: 'Certificado A1',
    menu: 'configuracao-nfcom',
    migalhas: [['Notas fiscais', CAMINHO]],
    corpo: html`<div class="largura-leitura">
      ${
        certificado === null
          ? null
          : cartao(
              'O que vale agora',
              html`${ficha([
                ['Titular', certificado.titular],
                ['CNPJ', certificado.cnpj],
                ['Vale desde', instante(sessao.provedor.fusoHorario, certificado.validoDe)],
                ['Vale até', instante(sessao.provedor.fusoHorario, certificado.validoAte)],
                [
                  'Faltam',
                  certificado.diasRestantes < 0 ? 'Venceu' : quantos(certificado.diasRestantes, 'dia', 'dias'),
                ],
                ['Guardado em', instante(sessao.provedor.fusoHorario, certificado.criadoEm)],
              ])}
              ${botao({ para: `${AQUI}/remover`, texto: 'Remover o certificado', classe: 'btn btn-outline-danger' })}`,
            )
      }
      ${cartao(
        certificado === null ? 'Guardar o certificado' : 'Trocar o certificado',
        provado
          ? html`<p>É guardado cifrado. A senha e a chave não voltam a ser mostradas em lugar nenhum.</p>
              ${formulario({
                para: AQUI,
                estado,
                rotulos: ROTULOS,
                enviar: 'Guardar',
                volta: CAMINHO,
                comArquivo: true,
                corpo: html`${campoDeArquivo(estado, { nome: 'certificado', rotulo: ROTULOS.certificado, obrigatorio: true, aceita: '.pfx,.p12', dica: 'Certificado A1 (e-CNPJ), de extensão .pfx ou .p12.' })}
                ${entrada(estado, { nome: 'senha', rotulo: ROTULOS.senha, tipo: 'password', obrigatorio: true, autocomplete: 'off' })}`,
              })}`
          : html`<p>Antes de mexer no certificado, confirme que é você.</p>
              ${botao({ para: `${AQUI}/confirmar`, texto: 'Confirmar e continuar', classe: 'btn btn-primary' })}`,
      )}
    </div>`,
  };
}

/** The provider's A1 certificate. */
export const CERTIFICADO: readonly Rota[] = [
  pagina(AQUI, { permissao, mostrar: async (chamada) => ({ tela: await tela(chamada, EM_BRANCO) }) }),
  acao(`${AQUI}/confirmar`, { permissao, prova: true, fazer: async () => ({ ir: AQUI }) }),
  acao(AQUI, {
    permissao,
    campos: { senha: 'segredo' },
    arquivo: { campo: 'certificado', maximo: MAIOR_PFX },
    formulario: tela,
    async fazer({ arquivo, dados, sessao, agora, servicos, mudar }) {
      if (!provaRecente(sessao.sessao, agora)) throw new Recusa('prova_exigida');
      if (arquivo === null) faltaEm('certificado', 'escolha o arquivo do certificado');
      const pfx = await readFile(arquivo.path);
      const senha = comoTexto(dados['senha']);
      const lido = await servicos.lerPfx(pfx, senha);
      await mudar(async (_dominio, { certificadoNfcom }) => certificadoNfcom.guardar({ pfx, senha, lido }));
      return { ir: CAMINHO, feito: 'certificado_guardado' };
    },
  }),
  acao(`${AQUI}/remover`, {
    permissao,
    prova: true,
    async fazer({ mudar }) {
      await mudar(async (_dominio, { certificadoNfcom }) => certificadoNfcom.remover());
      return { ir: AQUI, feito: 'removido' };
    },
  }),
];
