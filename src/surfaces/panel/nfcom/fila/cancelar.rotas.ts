import { exigido, lerCampos, opcional } from '../../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../../domain/campos/campos.ts';
import { data, id, inteiro as numeroInteiro } from '../../../../domain/campos/leitores.ts';
import { faltaEm } from '../../../../domain/erros.ts';
import { AMBIENTES_DITOS } from '../../../../domain/nfcom/ambiente.regras.ts';
import { MAIOR_CANCELAMENTO } from '../../../../domain/nfcom/emissao/correcoes.ts';
import type { Contagem } from '../../../../domain/nfcom/lista/cancelaveis.queries.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { aviso, cartao, ficha } from '../../componentes/cartao.ts';
import { escreverData, instante, inteiro, quantos } from '../../componentes/escrita.ts';
import { comConsulta } from '../../componentes/tabela.ts';
import { area } from '../../formulario/campos.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { CONTAGEM } from './contagem.ts';

/** The filter of the list beside which the authorised notes stand. */
const CONSULTA = { cliente: opcional(id), de: opcional(data), ate: opcional(data) } as const;
type Consulta = ValoresDe<typeof CONSULTA>;

const CONTAGEM_COM_HORA = {
  ...CONTAGEM,
  /** In milliseconds since 1970, which is the precision of the column. */
  ultima_em: exigido(numeroInteiro(0, 8_640_000_000_000_000)),
} as const;

const permissao = 'nfcom.emitir';
const ROTULOS = { justificativa: 'Justificativa' };

const contado = ({ ambiente, notas, soma, ultima, ultimaEm }: Contagem): Html =>
  html`${escondido('ambiente', ambiente)} ${escondido('contadas', notas)} ${escondido('soma', soma)}
  ${escondido('ultima', ultima)} ${escondido('ultima_em', ultimaEm?.getTime() ?? 0)}`;

/** Which notes would be cancelled, before they are. */
async function telaDoCancelamento(
  { consulta: { cliente, de, ate }, dominio, sessao, agora }: Chamada<unknown, Consulta>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const contagem = await dominio.notas.aCancelar({ clienteId: cliente, de, ate }, agora);
  const { ambiente, desde, notas } = contagem;
  const volta = comConsulta('/nfcom', { situacao: 'autorizada', cliente, de, ate });
  const quem = cliente === undefined ? null : await dominio.clientes.buscarPorId(cliente);
  return {
    titulo: 'Cancelar notas',
    menu: 'nfcom',
    migalhas: [
      ['Notas fiscais', '/nfcom'],
      ['Autorizadas', volta],
    ],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        html`${ficha([
          ['Notas', inteiro(notas)],
          ['Ambiente', `${AMBIENTES_DITOS[ambiente]}${ambiente === 'producao' ? '' : ': sem valor fiscal'}`],
          ['Cliente', quem?.nome ?? null],
          ['Emitidas de', de === undefined ? null : escreverData(de)],
          ['até', ate === undefined ? null : escreverData(ate)],
          ['Ainda no prazo', html`as autorizadas desde ${instante(sessao.provedor.fusoHorario, desde)}`],
        ])}
        ${
          notas === 0
            ? html`<p class="m-0">Nenhuma nota se pode cancelar com estes filtros.</p>`
            : html`${aviso('warning', 'Só as notas são canceladas: as faturas continuam as mesmas. Não dá para desfazer. As que têm substituta ou ajuste ficam de fora.')}
              ${formulario({
                para: comConsulta('/nfcom/cancelar', { cliente, de, ate }),
                estado,
                rotulos: ROTULOS,
                enviar: `Cancelar ${quantos(notas, 'nota', 'notas')}`,
                volta,
                perigoso: true,
                corpo: html`${area(estado, {
                  nome: 'justificativa',
                  rotulo: ROTULOS.justificativa,
                  obrigatorio: true,
                  maximo: 255,
                  linhas: 2,
                  dica: 'De 15 a 255 letras; vai à autoridade fiscal com cada nota.',
                })}
                ${contado(contagem)}`,
              })}`
        }`,
      )}
    </div>`,
  };
}

/** Authorised notes that are cancelled together. */
export const CANCELAMENTO: readonly Rota[] = [
  pagina('/nfcom/cancelar', {
    permissao,
    consulta: CONSULTA,
    mostrar: async (chamada) => ({ tela: await telaDoCancelamento(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/cancelar', {
    permissao,
    prova: true,
    campos: {
      justificativa: 'texto',
      ambiente: 'texto',
      contadas: 'texto',
      soma: 'texto',
      ultima: 'texto',
      ultima_em: 'texto',
    },
    consulta: CONSULTA,
    formulario: telaDoCancelamento,
    async fazer({ consulta: { cliente, de, ate }, dados, agora, ler, mudar }) {
      const { justificativa, ...contagem } = dados;
      const { ambiente, contadas, ultima_em: em, ...resto } = lerCampos(CONTAGEM_COM_HORA, contagem);
      const contada = { ambiente, notas: contadas, ultimaEm: new Date(em), ...resto };
      const filtro = { clienteId: cliente, de, ate };
      const { ids, mesmas } = await ler(async (dominio) => dominio.notas.contadas(filtro, agora, contada));
      if (!mesmas) {
        faltaEm('justificativa', `as notas destes filtros mudaram desde que foram contadas: agora são ${ids.length}`);
      }
      let canceladas = 0;
      for (let n = 0; n < ids.length; n += MAIOR_CANCELAMENTO) {
        const parte = ids.slice(n, n + MAIOR_CANCELAMENTO);
        canceladas += await mudar(async (_dominio, { nfcom }) =>
          nfcom.cancelarVarias(parte, ambiente, { justificativa }),
        );
      }
      return { ir: comConsulta('/nfcom', { cliente, de, ate, canceladas, contadas }) };
    },
  }),
];
