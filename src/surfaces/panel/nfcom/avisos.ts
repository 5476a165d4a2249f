import type { Dominio } from '../../../domain/dominio.ts';
import { AMBIENTES_DITOS } from '../../../domain/nfcom/ambiente.regras.ts';
import type { EstadoDaFila } from '../../../domain/nfcom/configuracao/configuracao.types.ts';
import { NUMEROS_DE_OUTRO } from '../../../domain/nfcom/envio/desfecho.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso } from '../componentes/cartao.ts';
import { escreverData, instante, quantos } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { botao } from '../formulario/formulario.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

/** Days before its end from which the certificate is spoken of. */
const PERTO_DO_FIM = 30;

function pausada({ desde, porque }: NonNullable<EstadoDaFila['pausa']>, sessao: Sessao): Html {
  return aviso(
    'warning',
    html`<p class="mb-1">
        O envio está pausado desde
        ${instante(sessao.provedor.fusoHorario, desde)}${porque === null ? '' : `: ${porque}`}. As notas da fila
        esperam, até que alguém o continue.
      </p>
      ${
        pode(sessao, 'nfcom.emitir', 'nfcom.configurar')
          ? botao({ para: '/nfcom/continuar', texto: 'Continuar o envio', icone: icone('refresh') })
          : null
      }`,
  );
}

/** What keeps notes from being issued, or soon will. */
export async function avisosDasNotas(dominio: Dominio, sessao: Sessao): Promise<Html> {
  const [pendencias, fila, configuracao, certificado, offline] = await Promise.all([
    dominio.configuracaoNfcom.pendencias(),
    dominio.configuracaoNfcom.fila(),
    dominio.configuracaoNfcom.buscar(),
    dominio.certificadoNfcom.buscar(),
    dominio.configuracaoNfcom.contingenciaPendente(),
  ]);
  const { fusoHorario } = sessao.provedor;
  const configura = pode(sessao, 'nfcom.configurar');
  const perto = certificado !== null && certificado.diasRestantes <= PERTO_DO_FIM ? certificado : null;
  return html`${
    pendencias.length === 0
      ? null
      : aviso(
          'warning',
          html`<p class="mb-1">Falta para emitir notas: ${pendencias.map(({ mensagem }) => mensagem).join('; ')}.</p>
            ${
              configura
                ? html`<a href="${BASE}/configuracoes/nfcom">Configurações das notas</a> ${
                      pode(sessao, 'configuracoes.editar')
                        ? html`· <a href="${BASE}/configuracoes/provedor">Dados do provedor</a>`
                        : null
                    }`
                : html`<span>Quem configura as notas fiscais pode completar.</span>`
            }`,
        )
  }
  ${
    perto === null || perto.diasRestantes < 0
      ? null
      : aviso('warning', `O certificado A1 acaba em ${perto.diasRestantes} dias. Compre o próximo e guarde-o aqui.`)
  }
  ${fila.pausa === null ? null : pausada(fila.pausa, sessao)}
  ${
    fila.paradaAte === null || fila.codigo === null
      ? null
      : aviso(
          'warning',
          html`<p class="mb-1">
              O envio está parado até ${instante(fusoHorario, fila.paradaAte)}: ${fila.motivo ?? fila.codigo}.
              ${
                fila.codigo === NUMEROS_DE_OUTRO
                  ? html`As notas esperam até que se diga
                    ${configura ? html`<a href="${BASE}/configuracoes/nfcom">o próximo número, ou outra série</a>` : 'o próximo número, ou outra série, nas configurações das notas'}.`
                  : fila.pausa === null
                    ? 'As notas esperam e saem sozinhas.'
                    : ''
              }
            </p>
            ${
              fila.podeRetomar && pode(sessao, 'nfcom.emitir')
                ? botao({ para: '/nfcom/retomar', texto: 'Já corrigi: seguir com o envio', icone: icone('refresh') })
                : null
            }`,
        )
  }
  ${
    fila.semPerguntarAte === null
      ? null
      : aviso(
          'warning',
          html`<p class="mb-1">
              A autoridade recusa as consultas das notas. Pergunta-se por uma a cada hora, até que responda; a próxima
              em
              ${instante(fusoHorario, fila.semPerguntarAte)}.${fila.pausa === null && fila.codigo === null ? ' O que está por enviar segue.' : ''}
            </p>
            ${
              pode(sessao, 'nfcom.emitir')
                ? botao({ para: '/nfcom/retomar', texto: 'Já corrigi: perguntar agora', icone: icone('refresh') })
                : null
            }`,
        )
  }
  ${
    fila.restos === null
      ? null
      : aviso(
          'warning',
          html`O que ficou de ${AMBIENTES_DITOS[fila.restos.ambiente]} espera pela sua autoridade até
          ${instante(fusoHorario, fila.restos.ate)}: ${fila.restos.motivo}.`,
        )
  }
  ${
    configuracao.contingencia === null
      ? null
      : aviso('warning', html`Em contingência desde ${instante(fusoHorario, configuracao.contingencia.desde)}.`)
  }
  ${
    offline === null
      ? null
      : aviso(
          'warning',
          html`${quantos(offline.notas, 'nota emitida', 'notas emitidas')} em contingência ainda não
          ${offline.notas === 1 ? 'foi autorizada' : 'foram autorizadas'}, que se saiba; o prazo da mais antiga para
          chegar à autoridade é ${escreverData(offline.prazo)}.`,
        )
  }
  ${
    configuracao.existe && configuracao.ambiente === 'homologacao'
      ? aviso('info', 'Ambiente de homologação: as notas não têm valor fiscal.')
      : null
  }`;
}
