import { normalizarCpfCnpj } from '../../../../brazil/pessoa/cpf-cnpj.ts';
import { UFS } from '../../../../brazil/pessoa/endereco.ts';
import type { Cliente } from '../../../../domain/clientes/clientes.types.ts';
import { RECUSAS } from '../../../../domain/erros.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao } from '../../componentes/cartao.ts';
import { area, entrada, escolha } from '../../formulario/campos.ts';
import { faltaDe, preenchido, valorDe } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { documentoNoCampo, telefoneNoCampo } from '../../formulario/pontuacao.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import type { Chamada, Tela } from '../../rota.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { ditaDoCliente } from '../palavras.ts';

/** The registration, by the names of the domain's form. */
const CAMPOS = {
  nome: 'texto',
  cpf_cnpj: 'texto',
  nome_fantasia: 'apagavel',
  data_nascimento: 'apagavel',
  email: 'apagavel',
  telefones: 'linhas',
  'endereco.cep': 'apagavel',
  'endereco.logradouro': 'apagavel',
  'endereco.numero': 'apagavel',
  'endereco.complemento': 'apagavel',
  'endereco.bairro': 'apagavel',
  'endereco.cidade': 'apagavel',
  'endereco.uf': 'apagavel',
  codigo_externo: 'apagavel',
} as const satisfies Record<string, TipoDeCampo>;

export const CAMPOS_DO_NOVO = { ...CAMPOS, situacao: 'texto' } as const;
/** `atualizado_em` is the version that was read. */
export const CAMPOS_DA_EDICAO = { ...CAMPOS, atualizado_em: 'texto' } as const;

const ROTULOS = {
  nome: 'Nome ou razão social',
  cpf_cnpj: 'CPF ou CNPJ',
  nome_fantasia: 'Nome fantasia',
  data_nascimento: 'Data de nascimento',
  email: 'E-mail',
  telefones: 'Telefones',
  'endereco.cep': 'CEP',
  'endereco.logradouro': 'Rua',
  'endereco.numero': 'Número',
  'endereco.complemento': 'Complemento',
  'endereco.bairro': 'Bairro',
  'endereco.cidade': 'Cidade',
  'endereco.uf': 'UF',
  codigo_externo: 'Código em outro sistema',
  situacao: 'Situação',
} as const;

/** Of what is registered, the form that changes it. Who may not see the document gets an empty field, which leaves it as it is. */
export function estadoDe(sessao: Sessao, cliente: Cliente): EstadoDoFormulario {
  const { endereco } = cliente;
  return preenchido({
    nome: cliente.nome,
    cpf_cnpj: pode(sessao, 'clientes.documentos') ? documentoNoCampo(cliente.cpfCnpj) : null,
    nome_fantasia: cliente.nomeFantasia,
    data_nascimento: cliente.dataNascimento,
    email: cliente.email,
    telefones: cliente.telefones.map(telefoneNoCampo).join('\n'),
    ...Object.fromEntries(Object.entries(endereco).map(([nome, valor]) => [`endereco.${nome}`, valor])),
    codigo_externo: cliente.codigoExterno,
    atualizado_em: cliente.atualizadoEm.toISOString(),
  });
}

function campos(estado: EstadoDoFormulario, cpfVazioFica: boolean): Html {
  const de = (nome: keyof typeof ROTULOS) => ({ nome, rotulo: ROTULOS[nome] });
  return html`<fieldset>
      <legend>Quem é</legend>
      <div class="grade">
        ${entrada(estado, { ...de('nome'), obrigatorio: true, maximo: 160 })}
        ${entrada(estado, {
          ...de('cpf_cnpj'),
          obrigatorio: !cpfVazioFica,
          maximo: 20,
          dica: cpfVazioFica
            ? 'Seu perfil não vê o documento. Vazio: fica como está.'
            : 'O documento diz se é pessoa (CPF) ou empresa (CNPJ).',
        })}
        ${entrada(estado, { ...de('data_nascimento'), tipo: 'date', dica: 'Só de pessoa.' })}
        ${entrada(estado, { ...de('nome_fantasia'), maximo: 160, dica: 'Só de empresa.' })}
      </div>
    </fieldset>
    <fieldset>
      <legend>Como falar</legend>
      <div class="grade">
        ${area(estado, { ...de('telefones'), linhas: 3, dica: 'Um por linha, com DDD; até 5. O primeiro é o principal.' })}
        ${entrada(estado, { ...de('email'), tipo: 'email', maximo: 254 })}
      </div>
    </fieldset>
    <fieldset>
      <legend>Endereço</legend>
      <div class="grade">
        ${entrada(estado, { ...de('endereco.cep'), teclado: 'numeric', maximo: 9 })}
        ${entrada(estado, { ...de('endereco.logradouro'), maximo: 160 })}
        ${entrada(estado, { ...de('endereco.numero'), maximo: 20 })}
        ${entrada(estado, { ...de('endereco.complemento'), maximo: 80 })}
        ${entrada(estado, { ...de('endereco.bairro'), maximo: 80 })}
        ${entrada(estado, { ...de('endereco.cidade'), maximo: 80 })}
        ${escolha(estado, { ...de('endereco.uf'), vazia: 'Escolha', opcoes: UFS.map((uf) => ({ valor: uf, texto: uf })) })}
      </div>
    </fieldset>`;
}

/** The others who have the document that was typed, where it was refused for that. */
async function osOutros({ dominio }: Chamada, estado: EstadoDoFormulario, menos: number | null): Promise<Html | null> {
  if (faltaDe(estado, 'cpf_cnpj') !== RECUSAS.cliente_duplicado) return null;
  const cpfCnpj = normalizarCpfCnpj(valorDe(estado, 'cpf_cnpj').trim());
  if (cpfCnpj === null) return null;
  const { itens } = await dominio.clientes.listar({ cpfCnpj }, { pagina: 1, porPagina: 5 });
  const outros = itens.filter(({ id, situacao }) => id !== menos && situacao !== 'cancelado');
  if (outros.length === 0) return null;
  return aviso(
    'warning',
    html`Já cadastrado:
    ${outros.map(({ id, nome, situacao }) => html`<a href="${BASE}/clientes/${id}">${nome}</a> (${ditaDoCliente(situacao)})`)}`,
  );
}

const SITUACOES_DO_NOVO = ['ativo', 'inativo', 'observacao', 'pre_cadastro'] as const;

export async function telaDoNovo(chamada: Chamada, estado: EstadoDoFormulario): Promise<Tela> {
  return {
    titulo: 'Novo cliente',
    menu: 'clientes',
    migalhas: [['Clientes', '/clientes']],
    corpo: html`${await osOutros(chamada, estado, null)}
    ${cartao(
      null,
      formulario({
        para: '/clientes/novo',
        estado,
        rotulos: ROTULOS,
        enviar: 'Cadastrar',
        volta: '/clientes',
        corpo: html`${campos(estado, false)}
          <div class="grade">
            ${escolha(estado, {
              nome: 'situacao',
              rotulo: ROTULOS.situacao,
              obrigatorio: true,
              opcoes: SITUACOES_DO_NOVO.map((valor) => ({ valor, texto: ditaDoCliente(valor) })),
            })}
            ${entrada(estado, { nome: 'codigo_externo', rotulo: ROTULOS.codigo_externo, maximo: 80, dica: 'Como ixc:123.' })}
          </div>`,
      }),
    )}`,
  };
}

/** A value as it is compared: punctuation of documents and phones makes no difference. */
function comparavel(estado: EstadoDoFormulario, nome: string): string {
  const valor = valorDe(estado, nome).trim();
  if (nome === 'cpf_cnpj') return documentoNoCampo(valor);
  if (nome !== 'telefones') return valor;
  return valor
    .split('\n')
    .map((um) => telefoneNoCampo(um.trim()))
    .join('\n');
}

/** What differs between what was typed and what somebody else has written meanwhile; nothing is overwritten by chance. */
function oQueMudou(estado: EstadoDoFormulario, agora: EstadoDoFormulario): Html {
  const mudados = Object.entries(ROTULOS).filter(
    ([nome]) => estado.digitado.has(nome) && comparavel(estado, nome) !== comparavel(agora, nome),
  );
  return aviso(
    'warning',
    html`<p>
        Outra pessoa alterou este cadastro enquanto você o editava. Nada do que você digitou foi gravado. Enviar de novo
        grava o que está nos campos abaixo.
      </p>
      <ul class="mb-0">
        ${mudados.map(([nome, rotulo]) => html`<li>${rotulo}: está gravado “${valorDe(agora, nome)}”, você digitou “${valorDe(estado, nome)}”.</li>`)}
      </ul>`,
  );
}

export async function telaDaEdicao(chamada: Chamada, cliente: Cliente, estado: EstadoDoFormulario): Promise<Tela> {
  const { sessao } = chamada;
  const agora = estadoDe(sessao, cliente);
  const versao = valorDe(estado, 'atualizado_em');
  // Whoever is shown what changed has read the version that is there now.
  const divergiu = estado.recusa !== null && versao !== valorDe(agora, 'atualizado_em');
  const para = `/clientes/${cliente.id}`;
  return {
    titulo: `Editar ${cliente.nome}`,
    menu: 'clientes',
    migalhas: [
      ['Clientes', '/clientes'],
      [cliente.nome, para],
    ],
    corpo: html`${divergiu ? oQueMudou(estado, agora) : null} ${await osOutros(chamada, estado, cliente.id)}
    ${cartao(
      null,
      formulario({
        para: `${para}/editar`,
        estado,
        rotulos: ROTULOS,
        enviar: 'Salvar',
        volta: para,
        corpo: html`${campos(estado, !pode(sessao, 'clientes.documentos'))}
          <div class="grade">
            ${entrada(estado, { nome: 'codigo_externo', rotulo: ROTULOS.codigo_externo, maximo: 80, dica: 'Como ixc:123.' })}
          </div>
          ${escondido('atualizado_em', divergiu ? valorDe(agora, 'atualizado_em') : versao)}`,
      }),
    )}`,
  };
}
