import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { NOMES_DOS_BANCOS } from '../../../domain/boletos/convenios/convenios.types.ts';
import type { Remessa } from '../../../domain/boletos/remessas/leitura.service.ts';
import { Recusa } from '../../../domain/erros.ts';
import { provaRecente } from '../../../domain/usuarios/sessoes/sessoes.regras.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta, numero } from '../componentes/cartao.ts';
import { escreverReais, inteiro, instante } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { arquivo, escolha } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { situacaoDaRemessa } from './palavras.ts';
import { BOLETOS_EM, cartaoDosRejeitados } from './rejeitados.ts';

type ComDominio = Pick<Chamada, 'agora' | 'dominio' | 'sessao'>;

/** Files to banks and from them, and what a bank refused. */
export async function telaDosBoletos({ agora, dominio, sessao }: ComDominio, estado = EM_BRANCO): Promise<Tela> {
  const [convenios, remessas, retornos, rejeitados, semResposta] = await Promise.all([
    dominio.boletos.convenios(),
    dominio.boletos.remessas(),
    dominio.retornos.retornos(),
    dominio.boletos.rejeitadosPorMotivo(),
    dominio.boletos.semResposta(),
  ]);
  const fuso = sessao.provedor.fusoHorario;
  const nomeDe = new Map(convenios.map(({ id, nome }) => [id, nome]));
  return {
    titulo: 'Boletos no banco',
    menu: 'boletos',
    corpo: html`${avisoSemResposta(semResposta)} ${cartaoDosRejeitados(rejeitados)}
    ${cartao(
      'Fazer remessa',
      convenios.length === 0
        ? vazio('building-bank', 'Nenhum convênio bancário', 'Cadastre um em Configurações, Convênios bancários.')
        : html`<p>
              As remessas são feitas sozinhas uma vez por dia. Para fazer uma agora, escolha o convênio: antes de gerar
              o arquivo, a tela mostra o que iria nele.
            </p>
            <div class="acoes">
              ${convenios.map(
                ({ id, nome, banco }) =>
                  html`<a class="btn" href="${BASE}${BOLETOS_EM}/convenios/${id}"
                    >${icone('eye')} ${nome} (${NOMES_DOS_BANCOS[banco]})</a
                  >`,
              )}
            </div>`,
    )}
    ${
      pode(sessao, 'faturas.baixar')
        ? cartao('Receber retorno', receberRetorno(provaRecente(sessao.sessao, agora), estado, convenios))
        : null
    }
    ${cartao('Remessas', listaDeRemessas(remessas, nomeDe, fuso), { rente: true })}
    ${cartao(
      'Retornos',
      tabela({
        legenda: 'Retornos recebidos',
        linhas: retornos,
        vazia: vazio('file-import', 'Nenhum retorno', 'Baixe-o do banco e envie-o acima.'),
        colunas: [
          {
            titulo: 'Arquivo',
            principal: true,
            celula: ({ id, nome }) => html`<a href="${BASE}${BOLETOS_EM}/retornos/${id}">${nome}</a>`,
          },
          { titulo: 'Convênio', celula: ({ convenio_id: id }) => nomeDe.get(id) ?? '' },
          { titulo: 'Linhas', direita: true, celula: ({ linhas }) => inteiro(linhas) },
          { titulo: 'Recebido em', celula: ({ recebidoEm }) => instante(fuso, recebidoEm) },
          {
            titulo: 'Situação',
            celula: ({ concluidoEm, falhas, feitas, partes }) => {
              if (concluidoEm !== null) return 'Aplicado';
              return falhas > 0
                ? etiqueta('Não se consegue aplicar', 'red')
                : `${inteiro(feitas)} de ${inteiro(partes)} partes`;
            },
          },
        ],
      }),
      { rente: true },
    )}`,
  };
}

/** Files that a bank seems to know nothing of: it may have refused them whole, and their boletos wait for nothing. */
const avisoSemResposta = (remessas: readonly Remessa[]): Html | null =>
  remessas.length === 0
    ? null
    : aviso(
        'warning',
        html`Há três dias úteis ou mais que o banco não responde a
        ${remessas.map(
          ({ id, nome }, n) => html`${n === 0 ? '' : ', '}<a href="${BASE}${BOLETOS_EM}/remessas/${id}">${nome}</a>`,
        )}.
        Veja com o banco se ele aceitou o arquivo; se o recusou, diga-o na página da remessa, para os boletos dela irem
        na próxima.`,
      );

/** What a bank's file says settles invoices; a file cannot wait while somebody proves who he is, so its form is shown after he has. */
const receberRetorno = (
  provado: boolean,
  estado: EstadoDoFormulario,
  convenios: readonly { readonly id: number; readonly nome: string }[],
): Html =>
  provado
    ? formulario({
        para: `${BOLETOS_EM}/retornos`,
        estado,
        rotulos: { arquivo: 'Arquivo de retorno', convenio: 'Convênio' },
        enviar: 'Receber',
        comArquivo: true,
        corpo: html`${arquivo(estado, {
          nome: 'arquivo',
          rotulo: 'Arquivo de retorno',
          aceita: '.ret,.RET,.crt,.CRT,.txt,.rst',
          obrigatorio: true,
          dica: 'O arquivo do banco, como veio, sem abrir nem editar. Enviado de novo, nada conta duas vezes.',
        })}
        ${
          convenios.length < 2
            ? null
            : escolha(estado, {
                nome: 'convenio',
                rotulo: 'Convênio',
                vazia: 'O que o arquivo disser',
                opcoes: convenios.map(({ id, nome }) => ({ valor: String(id), texto: nome })),
              })
        }`,
      })
    : html`<p>O retorno quita faturas: antes de enviá-lo, confirme que é você.</p>
        ${botao({ para: `${BOLETOS_EM}/confirmar`, texto: 'Confirmar e continuar', classe: 'btn btn-primary' })}`;

const listaDeRemessas = (remessas: readonly Remessa[], nomeDe: ReadonlyMap<number, string>, fuso: string): Html =>
  tabela({
    legenda: 'Remessas feitas',
    linhas: remessas,
    vazia: vazio('receipt', 'Nenhuma remessa', 'A primeira é feita à noite, ou agora mesmo, acima.'),
    colunas: [
      {
        titulo: 'Arquivo',
        principal: true,
        celula: ({ id, nome }) => html`<a href="${BASE}${BOLETOS_EM}/remessas/${id}">${nome}</a>`,
      },
      { titulo: 'Convênio', celula: ({ convenio_id: id }) => nomeDe.get(id) ?? '' },
      { titulo: 'NSA', direita: true, celula: ({ nsa }) => nsa },
      { titulo: 'Boletos', direita: true, celula: ({ entradas }) => inteiro(entradas) },
      { titulo: 'Pedidos', direita: true, celula: ({ instrucoes }) => inteiro(instrucoes) },
      { titulo: 'Total', direita: true, celula: ({ total }) => escreverReais(lerDinheiro(total)) },
      { titulo: 'Feita em', celula: ({ criada_em: em }) => instante(fuso, fromDatabaseTime(em)) },
      { titulo: 'Situação', celula: ({ situacao }) => situacaoDaRemessa(situacao) },
    ],
  });

/** What a file of an agreement would hold, before it is made. */
export async function telaDaPrevia({
  dominio,
  parametros: { id },
}: Pick<Chamada<{ readonly id: number }>, 'dominio' | 'parametros'>): Promise<Tela> {
  const [convenio, previa] = await Promise.all([dominio.boletos.convenio(id), dominio.boletos.previa(id)]);
  const { baixa, vencimento, valor } = previa.instrucoes;
  const quantas = previa.entradas + baixa + vencimento + valor;
  return {
    titulo: `Remessa: ${convenio.nome}`,
    menu: 'boletos',
    migalhas: [['Boletos no banco', BOLETOS_EM]],
    corpo: html` ${previa.haMais ? aviso('info', 'São mais boletos do que um arquivo leva: os outros vão no próximo.') : null}
      ${
        convenio.recusa === null
          ? null
          : aviso('danger', `A última remessa do dia não se pôde fazer: ${new Recusa(convenio.recusa).message}.`)
      }
      ${convenio.teste === 1 ? aviso('warning', 'Este convênio está em teste: o arquivo vai marcado como teste.') : null}
      <div class="numeros">
        ${numero(inteiro(previa.entradas), 'boletos a registrar', null)}
        ${numero(escreverReais(previa.total), 'valor deles', null)} ${numero(inteiro(baixa), 'pedidos de baixa', null)}
        ${numero(inteiro(vencimento + valor), 'mudanças de vencimento ou valor', null)}
        ${numero(inteiro(previa.recusadasAoTodo), 'não vão', null)}
      </div>
      ${
        quantas === 0
          ? aviso('info', 'Não há nada a mandar ao banco agora.')
          : cartao(
              null,
              botao({ para: `${BOLETOS_EM}/convenios/${id}`, texto: 'Fazer a remessa', classe: 'btn btn-primary' }),
            )
      }
      ${
        previa.recusadas.length === 0
          ? null
          : cartao(
              previa.recusadasAoTodo > previa.recusadas.length
                ? `Não vão, e por quê (as primeiras ${inteiro(previa.recusadas.length)})`
                : 'Não vão, e por quê',
              tabela({
                legenda: 'Faturas cujo boleto não vai',
                linhas: previa.recusadas,
                vazia: html``,
                colunas: [
                  {
                    titulo: 'Fatura',
                    principal: true,
                    celula: ({ faturaId }) => html`<a href="${BASE}/faturas/${faturaId}">Fatura ${faturaId}</a>`,
                  },
                  { titulo: 'Por quê', celula: ({ motivo }) => motivo },
                  {
                    titulo: 'Onde corrigir',
                    celula: ({ campo, clienteId, faturaId }) =>
                      campo === 'vencimento' || campo === 'valor'
                        ? html`<a href="${BASE}/faturas/${faturaId}">Fatura</a>`
                        : html`<a href="${BASE}/clientes/${clienteId}">Cadastro do cliente</a>`,
                  },
                ],
              }),
              { rente: true },
            )
      }`,
  };
}
