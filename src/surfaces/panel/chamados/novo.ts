import type { Cliente } from '../../../domain/clientes/clientes.types.ts';
import type { Responsavel } from '../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { avisoDaRede } from '../clientes/ficha/contrato.ts';
import { SEM_DOCUMENTOS } from '../busca/achados.ts';
import { procurar } from '../busca/procura.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { documento } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { area, entrada, escolha } from '../formulario/campos.ts';
import { preenchido, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { CATEGORIAS, PRIORIDADES, opcoesDe } from './palavras.ts';

const ROTULOS = {
  cliente_id: 'Cliente',
  contrato_id: 'Contrato',
  assunto: 'Assunto',
  descricao: 'Descrição',
  prioridade: 'Prioridade',
  categoria: 'Categoria',
  responsavel_id: 'Responsável',
};

const daTela = (corpo: Html): Tela => ({
  titulo: 'Novo chamado',
  menu: 'chamados',
  migalhas: [['Chamados', '/chamados']],
  corpo: html`<div class="largura-leitura">${corpo}</div>`,
});

interface DeQuem {
  readonly clienteId: number | undefined;
  readonly contratoId?: number | undefined;
  readonly q?: string | undefined;
}

/** Chooses the client first, by the search; then says what it is about. */
export async function telaDoNovo(
  chamada: Chamada,
  { clienteId, contratoId, q }: DeQuem,
  estado: EstadoDoFormulario = preenchido({ prioridade: 'normal' }),
): Promise<Tela> {
  const { dominio, sessao } = chamada;
  if (clienteId === undefined) return daTela(await procura(chamada, q));
  const cliente = await dominio.clientes.buscarPorId(clienteId);
  if (cliente === null) throw naoEncontrado();
  const atribui = pode(sessao, 'chamados.atribuir');
  const [responsaveis, avisos] = await Promise.all([
    atribui ? dominio.filaDeChamados.responsaveis() : [],
    dominio.avisosDeRede.doCliente(clienteId),
  ]);
  const abertos = new Map([...avisos.values()].flat().map((um) => [um.id, um]));
  return daTela(
    html`${[...abertos.values()].map((um) => avisoDaRede(sessao, um))}
    ${cartao(`Para ${cliente.nome}`, formularioDoNovo(cliente, responsaveis, atribui, comContrato(estado, cliente, contratoId)))}`,
  );
}

export const clienteDigitado = (estado: EstadoDoFormulario): number | undefined => {
  const texto = valorDe(estado, 'cliente_id');
  return /^[1-9]\d{0,14}$/.test(texto) ? Number(texto) : undefined;
};

async function procura(chamada: Chamada, q = ''): Promise<Html> {
  const { sessao } = chamada;
  const achado = q === '' ? null : await procurar(chamada, q, { tipos: ['clientes'] });
  const achados = tabela({
    legenda: 'Clientes achados',
    colunas: [
      {
        titulo: 'Cliente',
        principal: true,
        celula: ({ id, nome }) => html`<a href="${BASE}/chamados/novo?cliente=${id}">${nome}</a>`,
      },
      { titulo: 'Documento', celula: ({ cpf_cnpj }) => documento(sessao, cpf_cnpj) },
      { titulo: 'Cidade', celula: ({ cidade }) => cidade },
    ],
    linhas: achado?.clientes ?? [],
    vazia: vazio(
      'search',
      'Ninguém com isto',
      achado?.semDocumentos === true ? SEM_DOCUMENTOS : 'Confira o que foi digitado, ou tente outro dado do cliente.',
    ),
  });
  return html`<form class="filtros" method="get" action="${BASE}/chamados/novo" role="search">
      <div class="cresce">
        <label class="form-label" for="quem">De quem é o chamado?</label>
        <input
          class="form-control"
          id="quem"
          name="q"
          type="search"
          value="${q}"
          maxlength="120"
          autocomplete="off"
          placeholder="Nome, CPF, CNPJ ou telefone"
        />
      </div>
      <button class="btn btn-primary">Procurar</button>
    </form>
    ${q === '' ? null : cartao(null, achados, { rente: true })}
    ${achado?.incompleto === true ? aviso('info', 'Há mais clientes assim: digite mais para achar o certo.') : null}`;
}

const vivosDe = ({ contratos }: Cliente): Cliente['contratos'] =>
  contratos.filter(({ situacao }) => !situacao.startsWith('cancelado'));

/** Whoever comes from a contract, or has one alone, speaks of it, until whoever writes says otherwise. */
function comContrato(estado: EstadoDoFormulario, cliente: Cliente, contratoId?: number): EstadoDoFormulario {
  const vivos = vivosDe(cliente);
  const deste = vivos.length === 1 ? vivos[0] : vivos.find(({ id }) => id === contratoId);
  if (estado.digitado.has('contrato_id') || deste === undefined) return estado;
  return { ...estado, digitado: new Map([...estado.digitado, ['contrato_id', [String(deste.id)]]]) };
}

function formularioDoNovo(
  cliente: Cliente,
  responsaveis: readonly Responsavel[],
  atribui: boolean,
  estado: EstadoDoFormulario,
): Html {
  const { id } = cliente;
  const vivos = vivosDe(cliente);
  return formulario({
    para: '/chamados/novo',
    estado,
    rotulos: ROTULOS,
    enviar: 'Abrir chamado',
    volta: '/chamados',
    corpo: html`${escondido('cliente_id', id)}
      ${escolha(estado, {
        nome: 'contrato_id',
        rotulo: 'Contrato',
        vazia: vivos.length === 0 ? 'nenhum: o cliente não tem contrato' : 'nenhum em especial',
        opcoes: vivos.map((um) => ({
          valor: String(um.id),
          texto: `${um.id} · ${um.plano.nome} · ${um.login ?? 'sem login'} · ${um.conexao === 'desconhecido' ? 'sem notícia' : um.conexao}`,
        })),
      })}
      ${entrada(estado, { nome: 'assunto', rotulo: 'Assunto', obrigatorio: true, maximo: 300 })}
      ${area(estado, { nome: 'descricao', rotulo: 'Descrição', obrigatorio: true, maximo: 5000, linhas: 6, dica: 'O cliente pode ler.' })}
      <div class="grade">
        ${escolha(estado, { nome: 'prioridade', rotulo: 'Prioridade', obrigatorio: true, opcoes: opcoesDe(PRIORIDADES) })}
        ${escolha(estado, { nome: 'categoria', rotulo: 'Categoria', vazia: 'nenhuma', opcoes: opcoesDe(CATEGORIAS) })}
        ${
          atribui
            ? escolha(estado, {
                nome: 'responsavel_id',
                rotulo: 'Responsável',
                vazia: 'ninguém',
                opcoes: responsaveis.map(({ id: valor, nome }) => ({ valor: String(valor), texto: nome })),
              })
            : null
        }
      </div>`,
  });
}
