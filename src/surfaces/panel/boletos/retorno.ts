import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { ResultadoDaLinha } from '../../../domain/boletos/retornos/retornos.types.ts';
import type { Retorno } from '../../../domain/boletos/retornos/leitura.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, numero } from '../componentes/cartao.ts';
import { escreverReais, inteiro, instante } from '../componentes/escrita.ts';
import { comConsulta, paginas, tabela } from '../componentes/tabela.ts';
import { botao } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { RESULTADOS, emPalavras } from './palavras.ts';
import { BOLETOS_EM } from './rejeitados.ts';

interface Consulta {
  readonly resultado?: ResultadoDaLinha | undefined;
  readonly depois?: number | undefined;
}

/** What each line of a bank's file did. */
export async function telaDoRetorno({
  dominio,
  sessao,
  parametros: { id },
  consulta: { resultado, depois = 0 },
}: Pick<Chamada<{ readonly id: number }, Consulta>, 'dominio' | 'sessao' | 'parametros' | 'consulta'>): Promise<Tela> {
  const retorno = await dominio.retornos.retorno(id);
  const { linhas, proxima } = await dominio.retornos.linhas(id, resultado ?? null, depois);
  const em = `${BOLETOS_EM}/retornos/${id}`;
  return {
    titulo: retorno.nome,
    menu: 'boletos',
    migalhas: [['Boletos no banco', BOLETOS_EM]],
    acoes: pode(sessao, 'clientes.documentos')
      ? html`<form method="post" action="${BASE}${em}/baixar"><button class="btn">Baixar o arquivo</button></form>`
      : null,
    corpo: html` ${retorno.concluidoEm === null ? andamento(retorno, sessao.provedor.fusoHorario) : null}
      <div class="numeros">
        ${Object.entries(retorno.contas).map(([nome, quantas]) =>
          numero(inteiro(quantas), RESULTADOS[nome as ResultadoDaLinha], `${em}?resultado=${nome}`),
        )}
      </div>
      ${cartao(
        resultado === undefined ? 'Linhas' : `Linhas: ${RESULTADOS[resultado]}`,
        html`${tabela({
          legenda: 'O que cada linha fez',
          linhas,
          vazia: html`<p class="p-3 m-0">Nenhuma linha.</p>`,
          colunas: [
            { titulo: 'Linha', direita: true, celula: ({ linha }) => linha },
            { titulo: 'Resultado', principal: true, celula: (uma) => RESULTADOS[uma.resultado] },
            { titulo: 'Movimento', celula: ({ movimento }) => movimento },
            { titulo: 'Nosso número', celula: ({ numero: nosso }) => nosso },
            {
              titulo: 'Fatura',
              celula: ({ fatura_id: fatura }) =>
                fatura === null ? null : html`<a href="${BASE}/faturas/${fatura}">${fatura}</a>`,
            },
            { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(lerDinheiro(valor)) },
            {
              titulo: 'Tarifa',
              direita: true,
              celula: ({ tarifa }) => (lerDinheiro(tarifa) === 0 ? null : escreverReais(lerDinheiro(tarifa))),
            },
            { titulo: 'O banco diz', celula: ({ motivos }) => emPalavras(motivos) },
          ],
        })}
        ${paginas({
          total: null,
          anterior: depois === 0 ? null : comConsulta(em, { resultado }),
          proxima: proxima === null ? null : comConsulta(em, { resultado, depois: proxima }),
        })}`,
        {
          rente: true,
          acoes: resultado === undefined ? null : html`<a class="btn btn-sm" href="${BASE}${em}">Ver todas</a>`,
        },
      )}`,
  };
}

/** How far a file is; of one that cannot be done, when it is tried again. */
function andamento({ id, feitas, partes, falhas, tentarEm }: Retorno, fuso: string): Html {
  const quanto = `${inteiro(feitas)} de ${inteiro(partes)} partes`;
  if (falhas === 0 || tentarEm === null) return aviso('info', `Está sendo aplicado: ${quanto}.`);
  return html`${aviso(
    'danger',
    html`Não se consegue aplicar: ficou em ${quanto}, e falhou ${inteiro(falhas)} ${falhas === 1 ? 'vez' : 'vezes'}.
    Tenta-se de novo a partir de ${instante(fuso, tentarEm)}; os retornos que vieram depois seguem. Se continuar, fale
    com o suporte.`,
  )}
  ${botao({ para: `${BOLETOS_EM}/retornos/${id}/tentar`, texto: 'Tentar agora', classe: 'btn' })}`;
}
