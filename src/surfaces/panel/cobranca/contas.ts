import { camposDoCobrador } from '../../../domain/cobradores/cobradores.service.ts';
import type { Cobrador } from '../../../domain/cobradores/leitura.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, etiqueta } from '../componentes/cartao.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { entrada } from '../formulario/campos.ts';
import { pontuado } from '../formulario/pontuacao.ts';
import { versaoLida } from '../formulario/versao.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';

export const NOVA = '/configuracoes/cobranca/contas/nova';
const ROTULOS = {
  nome: 'Nome da conta',
  cnpj: 'CNPJ',
  pix_chave: 'Chave PIX',
  pix_nome: 'Nome de quem recebe',
  pix_cidade: 'Cidade de quem recebe',
  boleto_banco: 'Banco',
  boleto_agencia_codigo: 'Agência e código do beneficiário',
  boleto_carteira: 'Carteira',
};

/** A field's value as the form shows it. */
export const NO_CAMPO = pontuado(['cnpj']);

const situacao = ({ padrao, ativo }: Cobrador): Html =>
  ativo ? (padrao ? etiqueta('Padrão', 'green') : etiqueta('Ativa', 'blue')) : etiqueta('Desativada', 'secondary');

/** The accounts to which invoices are paid. */
export const listaDeContas = (contas: readonly Cobrador[]): Html =>
  cartao(
    'Quem recebe',
    tabela({
      legenda: 'Contas de cobrança',
      linhas: contas,
      colunas: [
        {
          titulo: 'Conta',
          principal: true,
          celula: ({ id, nome }) => html`<a href="${BASE}/configuracoes/cobranca/contas/${id}">${nome}</a>`,
        },
        { titulo: 'Chave PIX', celula: ({ pix_chave }) => pix_chave ?? 'sem PIX' },
        { titulo: 'Recebe', celula: ({ pix_nome }) => pix_nome },
        { titulo: 'Banco', celula: ({ boleto_banco }) => boleto_banco },
        { titulo: 'Situação', celula: (conta) => situacao(conta) },
      ],
      vazia: vazio('credit-card', 'Ninguém recebe ainda', 'Sem uma conta com chave PIX, as faturas não têm PIX.'),
    }),
    { rente: true, acoes: html`<a class="btn" href="${BASE}${NOVA}">${icone('plus')} Nova conta</a>` },
  );

export async function exigirConta({
  dominio,
  parametros: { id },
}: Chamada<{ readonly id: number }>): Promise<Cobrador> {
  const conta = (await dominio.cobradores.listar()).find((uma) => uma.id === id);
  if (conta === undefined) throw naoEncontrado();
  return conta;
}

const campos = (estado: EstadoDoFormulario): Html => html`
  ${entrada(estado, { nome: 'nome', rotulo: ROTULOS.nome, maximo: 120, obrigatorio: true, dica: 'Só a equipe a vê.' })}
  <fieldset>
    <legend>PIX</legend>
    ${entrada(estado, { nome: 'pix_chave', rotulo: ROTULOS.pix_chave, maximo: 77, dica: 'As três partes são precisas para haver PIX.' })}
    <div class="grade">
      ${entrada(estado, { nome: 'pix_nome', rotulo: ROTULOS.pix_nome, maximo: 25 })}
      ${entrada(estado, { nome: 'pix_cidade', rotulo: ROTULOS.pix_cidade, maximo: 15 })}
    </div>
  </fieldset>
  <fieldset>
    <legend>Boleto</legend>
    <div class="grade">
      ${entrada(estado, { nome: 'boleto_banco', rotulo: ROTULOS.boleto_banco, teclado: 'numeric', maximo: 3, dica: 'Três dígitos, como 237.' })}
      ${entrada(estado, { nome: 'boleto_agencia_codigo', rotulo: ROTULOS.boleto_agencia_codigo, maximo: 40 })}
      ${entrada(estado, { nome: 'boleto_carteira', rotulo: ROTULOS.boleto_carteira, maximo: 10 })}
      ${entrada(estado, { nome: 'cnpj', rotulo: ROTULOS.cnpj, maximo: 18, dica: 'Vazio: o do provedor.' })}
    </div>
  </fieldset>
`;

const MIGALHAS = [['Cobrança', '/configuracoes/cobranca']] as const;

export const telaDaNovaConta = async (_chamada: unknown, estado: EstadoDoFormulario): Promise<Tela> => ({
  titulo: 'Nova conta',
  menu: 'cobranca',
  migalhas: MIGALHAS,
  corpo: html`<div class="largura-leitura">
    ${cartao(
      null,
      formulario({
        para: NOVA,
        estado,
        rotulos: ROTULOS,
        enviar: 'Criar conta',
        volta: '/configuracoes/cobranca',
        corpo: campos(estado),
      }),
    )}
  </div>`,
});

export async function telaDaConta(
  chamada: Chamada<{ readonly id: number }>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const conta = await exigirConta(chamada);
  const em = `/configuracoes/cobranca/contas/${conta.id}`;
  return {
    titulo: conta.nome,
    menu: 'cobranca',
    migalhas: MIGALHAS,
    acoes: situacao(conta),
    corpo: html`<div class="largura-leitura">
      ${cartao(
        'Dados',
        html`<p>O que já foi emitido por esta conta passa a pedir o que estiver aqui.</p>
          ${formulario({
            para: em,
            estado,
            rotulos: ROTULOS,
            enviar: 'Salvar',
            volta: '/configuracoes/cobranca',
            corpo: html`${versaoLida({ estado, campos: camposDoCobrador(conta), rotulos: ROTULOS, dito: NO_CAMPO })}
            ${campos(estado)}`,
          })}`,
      )}
      ${cartao(
        'Cobrança PIX no PSP',
        html`<p>Com um PSP, cada fatura desta conta tem uma cobrança dele, com multa e juros.</p>
          <a class="btn" href="${BASE}${em}/psp">Configurar o PSP</a>`,
      )}
      ${cartao('Uso', uso(conta, em))}
    </div>`,
  };
}

function uso({ padrao, ativo }: Cobrador, em: string): Html {
  if (padrao) {
    return html`<p class="m-0">
      É a conta padrão: por ela se emite o que não diz outra. Para desativá-la, faça antes de outra a padrão.
    </p>`;
  }
  if (!ativo) {
    return html`<p>Nada novo é emitido por ela; o que já foi emitido continua a ser pago nela.</p>
      ${botao({ para: `${em}/reativar`, texto: 'Reativar' })}`;
  }
  return html`<p>
      Como padrão, o que for emitido daqui em diante e não disser outra conta é pago nela. Desativada, nada novo é
      emitido por ela; o que já foi emitido continua a ser pago nela.
    </p>
    <div class="acoes">
      ${botao({ para: `${em}/padrao`, texto: 'Tornar padrão' })}
      ${botao({ para: `${em}/desativar`, texto: 'Desativar', classe: 'btn btn-outline-danger' })}
    </div>`;
}
