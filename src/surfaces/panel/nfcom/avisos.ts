import type { Dominio } from '../../../domain/dominio.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso } from '../componentes/cartao.ts';
import { instante } from '../componentes/escrita.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

/** Days before its end from which the certificate is spoken of. */
const PERTO_DO_FIM = 30;

/** What keeps notes from being issued, or soon will. */
export async function avisosDasNotas(dominio: Dominio, sessao: Sessao): Promise<Html> {
  const [pendencias, fila, configuracao, certificado] = await Promise.all([
    dominio.configuracaoNfcom.pendencias(),
    dominio.configuracaoNfcom.fila(),
    dominio.configuracaoNfcom.buscar(),
    dominio.certificadoNfcom.buscar(),
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
  ${
    fila.paradaAte === null || fila.codigo === null
      ? null
      : aviso(
          'warning',
          html`O envio está parado até ${instante(fusoHorario, fila.paradaAte)}: ${fila.motivo ?? fila.codigo}. As notas
          esperam e saem sozinhas.`,
        )
  }
  ${
    configuracao.contingencia === null
      ? null
      : aviso('warning', html`Em contingência desde ${instante(fusoHorario, configuracao.contingencia.desde)}.`)
  }
  ${
    configuracao.existe && configuracao.ambiente === 'homologacao'
      ? aviso('info', 'Ambiente de homologação: as notas não têm valor fiscal.')
      : null
  }`;
}
