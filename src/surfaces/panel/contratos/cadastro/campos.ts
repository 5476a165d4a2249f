import { UFS } from '../../../../brazil/pessoa/endereco.ts';
import { escreverReais } from '../../../../brazil/dinheiro/escrita.ts';
import type { Dominio } from '../../../../domain/dominio.ts';
import type { Endereco } from '../../../../domain/enderecos/enderecos.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { entrada, escolha } from '../../formulario/campos.ts';
import type { Opcao } from '../../formulario/campos.ts';
import { valorDe } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { COBRANCAS, CONEXOES, DIAS } from '../palavras.ts';

/** How people call the fields of a contract, by the names that the domain's forms have. */
export const ROTULOS = {
  cliente_id: 'Número do cliente',
  plano_id: 'Plano',
  dia_vencimento: 'Dia de vencimento',
  tipo_cobranca: 'Cobrança',
  valor: 'Valor por mês',
  tipo_conexao: 'Tipo de conexão',
  login: 'Login',
  senha: 'Senha',
  mac: 'MAC',
  ip: 'IP fixo',
  ipv6_prefixo: 'Prefixo IPv6',
  cobrador_id: 'Conta que recebe',
  codigo_externo: 'Código externo',
  endereco_instalacao: 'Endereço de instalação',
  'endereco_instalacao.cep': 'CEP',
  'endereco_instalacao.logradouro': 'Rua',
  'endereco_instalacao.numero': 'Número',
  'endereco_instalacao.complemento': 'Complemento',
  'endereco_instalacao.bairro': 'Bairro',
  'endereco_instalacao.cidade': 'Cidade',
  'endereco_instalacao.uf': 'UF',
} as const;

export const DO_ENDERECO: Readonly<Record<string, TipoDeCampo>> = {
  'endereco_instalacao.cep': 'apagavel',
  'endereco_instalacao.logradouro': 'apagavel',
  'endereco_instalacao.numero': 'apagavel',
  'endereco_instalacao.complemento': 'apagavel',
  'endereco_instalacao.bairro': 'apagavel',
  'endereco_instalacao.cidade': 'apagavel',
  'endereco_instalacao.uf': 'apagavel',
};

/** An address by the names of its fields. */
export const enderecoPreenchido = (endereco: Endereco): Record<string, string | null> =>
  Object.fromEntries(Object.entries(endereco).map(([nome, valor]) => [`endereco_instalacao.${nome}`, valor]));

const linha = (
  estado: EstadoDoFormulario,
  nome: keyof typeof ROTULOS,
  mais: Omit<Parameters<typeof entrada>[1], 'nome' | 'rotulo'> = {},
): Html => entrada(estado, { nome, rotulo: ROTULOS[nome], ...mais });

const UFS_A_ESCOLHER: readonly Opcao[] = UFS.map((uf) => ({ valor: uf, texto: uf }));

export function camposDoEndereco(estado: EstadoDoFormulario): Html {
  return html`<div class="grade">
    ${linha(estado, 'endereco_instalacao.cep', { teclado: 'numeric', maximo: 9 })}
    ${linha(estado, 'endereco_instalacao.logradouro', { maximo: 160 })}
    ${linha(estado, 'endereco_instalacao.numero', { maximo: 20 })}
    ${linha(estado, 'endereco_instalacao.complemento', { maximo: 80 })}
    ${linha(estado, 'endereco_instalacao.bairro', { maximo: 80 })}
    ${linha(estado, 'endereco_instalacao.cidade', { maximo: 80 })}
    ${escolha(estado, { nome: 'endereco_instalacao.uf', rotulo: 'UF', vazia: 'Não dita', opcoes: UFS_A_ESCOLHER })}
  </div>`;
}

/** Login, password, MAC and addresses. A password is typed, and never shown. */
export function camposDaRede(estado: EstadoDoFormulario, { novo }: { readonly novo: boolean }): Html {
  return html`<div class="grade">
    ${escolha(estado, { nome: 'tipo_conexao', rotulo: ROTULOS.tipo_conexao, obrigatorio: true, opcoes: CONEXOES })}
    ${linha(estado, 'login', {
      maximo: 64,
      dica: novo
        ? 'Em branco, é proposto pelo nome do cliente. Em IPoE, o MAC ou o circuit-id.'
        : 'Com outro login, a sessão aberta cai.',
    })}
    ${linha(estado, 'senha', {
      tipo: 'password',
      autocomplete: 'new-password',
      maximo: 64,
      dica: novo ? 'Em branco, é gerada e mostrada uma vez. Em IPoE, não é preciso.' : 'Em branco, fica a que está.',
    })}
    ${linha(estado, 'mac', { maximo: 17, dica: 'Como 00:1a:2b:3c:4d:5e.' })}
    ${linha(estado, 'ip', { maximo: 15, teclado: 'decimal', dica: 'Em branco, o servidor dá um.' })}
    ${linha(estado, 'ipv6_prefixo', { maximo: 43, dica: 'Como 2001:db8:100::/56.' })}
  </div>`;
}

/** Plans on sale, with what they cost. */
export const planosAVenda = async ({ planos }: Dominio): Promise<readonly Opcao[]> =>
  (await planos.listarAtivos()).map(({ id, nome, downloadMbps, valor }) => ({
    valor: String(id),
    texto: `${nome} · ${downloadMbps} Mb/s · ${escreverReais(valor)}`,
  }));

export const campoDoPlano = (estado: EstadoDoFormulario, opcoes: readonly Opcao[]): Html =>
  escolha(estado, {
    nome: 'plano_id',
    rotulo: ROTULOS.plano_id,
    obrigatorio: true,
    vazia: opcoes.length === 0 ? 'Nenhum plano à venda' : 'Escolha',
    opcoes,
  });

/** Only whoever may give a discount says another value than the plan's. */
export function campoDoValor(estado: EstadoDoFormulario, sessao: Sessao, dica: string): Html | null {
  if (!pode(sessao, 'faturas.desconto')) return null;
  return linha(estado, 'valor', { teclado: 'decimal', maximo: 16, dica });
}

/** Due day, kind of charge and the account that is paid. */
export async function camposDaCobranca(
  estado: EstadoDoFormulario,
  { cobradores }: Dominio,
  sessao: Sessao,
): Promise<Html> {
  const contas = (await cobradores.listar()).filter(({ ativo }) => ativo);
  const cobrancas = Object.entries(COBRANCAS)
    .filter(
      ([valor]) => valor !== 'isento' || valorDe(estado, 'tipo_cobranca') === valor || pode(sessao, 'faturas.desconto'),
    )
    .map(([valor, texto]) => ({ valor, texto }));
  return html`<div class="grade">
    ${escolha(estado, {
      nome: 'dia_vencimento',
      rotulo: ROTULOS.dia_vencimento,
      obrigatorio: true,
      vazia: 'Escolha',
      opcoes: DIAS,
      dica: 'Em mês mais curto, vence no último dia.',
    })}
    ${escolha(estado, { nome: 'tipo_cobranca', rotulo: ROTULOS.tipo_cobranca, obrigatorio: true, opcoes: cobrancas })}
    ${
      contas.length === 0
        ? null
        : escolha(estado, {
            nome: 'cobrador_id',
            rotulo: ROTULOS.cobrador_id,
            vazia: 'A padrão do provedor',
            opcoes: contas.map(({ id, nome }) => ({ valor: String(id), texto: nome })),
          })
    }
  </div>`;
}
