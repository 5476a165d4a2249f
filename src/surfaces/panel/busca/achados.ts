import { lerData } from '../../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { SITUACOES_DE_CHAMADO } from '../../../domain/chamados/chamados.types.ts';
import type {
  ClienteAchado,
  ContratoAchado,
  ResultadoDaBusca,
  TipoDaBusca,
} from '../../../domain/busca/busca.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { documento, escreverData, escreverReais, escreverTelefone } from '../componentes/escrita.ts';
import { situacaoDoCliente, situacaoDoContrato } from '../clientes/palavras.ts';
import type { Sessao } from '../sessao.ts';
import type { Procurado } from './procura.ts';

/** Something that was found: where it is, what it is called, and what tells it from others. */
interface Achado {
  readonly para: string;
  readonly nome: string;
  readonly detalhe: string;
  readonly lado: Html | string;
}

interface GrupoDeAchados {
  readonly tipo: TipoDaBusca;
  readonly titulo: string;
  readonly achados: readonly Achado[];
}

/** Where each kind of thing is shown. */
export const ENDERECO = {
  clientes: '/clientes',
  contratos: '/contratos',
  faturas: '/faturas',
  chamados: '/chamados',
} as const satisfies Record<TipoDaBusca, string>;

const comPonto = (...partes: readonly (string | null | undefined)[]): string =>
  partes.filter((parte) => parte !== null && parte !== undefined && parte !== '').join(' · ');

/** What was found by a phone is told apart by the phone; by its end, whichever ends so. */
function telefoneAchado({ por, telefones }: ClienteAchado, texto: string): string | null {
  const digitos = texto.replaceAll(/\D/g, '');
  const achado = telefones.find((numero) => numero.endsWith(digitos.slice(-8)));
  const [numero] = por === 'telefone' && achado !== undefined ? [achado] : telefones;
  return numero === undefined ? null : escreverTelefone(numero);
}

/** A client that was found. `para`: where it leads, below `/painel`; to the client unless it is said. */
export function doCliente(
  sessao: Sessao,
  cliente: ClienteAchado,
  texto: string,
  para = `${ENDERECO.clientes}/${cliente.id}`,
): Achado {
  return {
    para,
    nome: comPonto(cliente.nome, cliente.nome_fantasia),
    detalhe: comPonto(documento(sessao, cliente.cpf_cnpj), telefoneAchado(cliente, texto), cliente.cidade),
    lado: situacaoDoCliente(cliente.situacao),
  };
}

function doContrato({ id, por, cliente_nome, plano_nome, situacao, login, mac, ip }: ContratoAchado): Achado {
  const porque = por === 'mac' ? mac : por === 'ip' ? (ip ?? login) : login;
  return {
    para: `${ENDERECO.contratos}/${id}`,
    nome: `${id} · ${cliente_nome}`,
    detalhe: comPonto(plano_nome, porque),
    lado: situacaoDoContrato(situacao),
  };
}

const DITA_DO_CHAMADO: Readonly<Record<(typeof SITUACOES_DE_CHAMADO)[number], string>> = {
  aberto: 'aberto',
  pendente: 'pendente',
  pendente_terceiro: 'espera terceiro',
  em_andamento: 'em andamento',
  reaberto: 'reaberto',
  solucionado: 'solucionado',
  cancelado: 'cancelado',
};

const ditaDoChamado = (situacao: string): string => {
  const conhecida = SITUACOES_DE_CHAMADO.find((uma) => uma === situacao);
  return conhecida === undefined ? situacao : DITA_DO_CHAMADO[conhecida];
};

const dataDita = (texto: string): string => {
  const data = lerData(texto);
  return data === null ? texto : escreverData(data);
};

/** What a search found, by kinds that have something. */
export function grupos(sessao: Sessao, achado: ResultadoDaBusca, texto: string): readonly GrupoDeAchados[] {
  const { clientes, contratos, faturas, chamados } = achado;
  const todos: readonly GrupoDeAchados[] = [
    { tipo: 'clientes', titulo: 'Clientes', achados: clientes.map((um) => doCliente(sessao, um, texto)) },
    { tipo: 'contratos', titulo: 'Contratos', achados: contratos.map(doContrato) },
    {
      tipo: 'faturas',
      titulo: 'Faturas',
      achados: faturas.map(({ id, cliente_nome: nome, valor, vencimento, situacao }) => ({
        para: `${ENDERECO.faturas}/${id}`,
        nome: `${id} · ${nome}`,
        detalhe: comPonto(escreverReais(lerDinheiro(valor)), `vence em ${dataDita(vencimento)}`),
        lado: situacao,
      })),
    },
    {
      tipo: 'chamados',
      titulo: 'Chamados',
      achados: chamados.map(({ id, cliente_nome: nome, assunto, situacao }) => ({
        para: `${ENDERECO.chamados}/${id}`,
        nome: `#${id} · ${assunto}`,
        detalhe: nome,
        lado: ditaDoChamado(situacao),
      })),
    },
  ];
  return todos.filter(({ achados }) => achados.length > 0);
}

const ligacao = ({ para, nome, detalhe, lado }: Achado): Html =>
  html`<a href="${BASE}${para}"
    ><span><strong>${nome}</strong><br /><small class="text-secondary">${detalhe}</small></span
    ><span>${lado}</span></a
  >`;

/** Below the box, while somebody types. */
export function caixaDeAchados(achados: readonly GrupoDeAchados[], texto: string, falta: string | null): Html {
  if (texto === '') return html``;
  if (achados.length === 0) {
    return html`<div><p class="m-2 text-secondary">Nada com “${texto}”. ${falta ?? ONDE_SE_PROCURA}</p></div>`;
  }
  return html`<div>
    ${achados.map(
      ({ titulo, achados: deles }) =>
        html`<h3>${titulo}</h3>
          ${deles.map(ligacao)}`,
    )}
    ${falta === null ? null : html`<p class="m-2 text-secondary">${falta}</p>`}
  </div>`;
}

/** The same as a list on a page. */
export const listaDeAchados = (achados: readonly Achado[]): Html =>
  html`<ul class="achados">
    ${achados.map((achado) => html`<li>${ligacao(achado)}</li>`)}
  </ul>`;

const HA_MAIS = 'Há mais do que isto: digite mais letras ou números.';
export const SEM_DOCUMENTOS =
  'Você procurou CPF ou CNPJ demais que não são de cliente: até amanhã, procure por nome, telefone, login ou número.';

/** What a search did not show, in words; null where that is nothing. */
export function faltaNaBusca(achado: Pick<Procurado, 'incompleto' | 'semDocumentos'> | null): string | null {
  if (achado?.semDocumentos === true) return SEM_DOCUMENTOS;
  return achado?.incompleto === true ? HA_MAIS : null;
}

export const ONDE_SE_PROCURA =
  'Procura-se por nome, CPF ou CNPJ, telefone (ou seus 4 últimos números), login, MAC, IP, número e protocolo.';
