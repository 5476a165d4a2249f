import { versaoDe } from '../../../domain/campos/versao.ts';
import { camposDoConvenio } from '../../../domain/boletos/convenios/convenios.types.ts';
import { NOMES_DOS_BANCOS } from '../../../domain/boletos/convenios/convenios.types.ts';
import type { ConvenioRow } from '../../../domain/boletos/convenios/convenios.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, etiqueta } from '../componentes/cartao.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { area, caixa, entrada, escolha } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { versaoAtual } from '../formulario/versao.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';

export const CONVENIOS_EM = '/configuracoes/bancos';

const ROTULOS = {
  nome: 'Nome',
  cobrador_id: 'Conta',
  banco: 'Banco',
  agencia: 'Agência ou cooperativa',
  agencia_dv: 'Dígito da agência',
  conta: 'Conta corrente',
  conta_dv: 'Dígito da conta',
  carteira: 'Carteira',
  variacao: 'Variação',
  codigo: 'Código do convênio ou beneficiário',
  codigo_transmissao: 'Código de transmissão',
  posto: 'Posto',
  juros_ao_mes: 'Juros ao mês (%)',
  multa: 'Multa (%)',
  baixa_em_dias: 'Dias até a baixa',
  proximo_numero: 'Próximo nosso número',
  proximo_nsa: 'Próximo número de arquivo (NSA)',
  teste: 'Em teste (homologação)',
  ajustes: 'Ajustes do layout',
};

const DICAS: Readonly<Partial<Record<keyof typeof ROTULOS, string>>> = {
  codigo: 'Sicoob: cliente. Sicredi e Santander: beneficiário. BB: convênio de 7. Inter: operação. Itaú: vazio.',
  variacao: 'Só no Banco do Brasil.',
  codigo_transmissao: 'Só no Santander.',
  posto: 'Só no Sicredi.',
  baixa_em_dias: 'Depois do vencimento. Vazio: o que se combinou com o banco.',
  proximo_numero: 'De quem já emitia por outro sistema. Só para a frente.',
  proximo_nsa: 'De quem já emitia por outro sistema. Só para a frente.',
};

export const CAMPOS_DO_FORMULARIO = {
  nome: 'texto',
  agencia: 'texto',
  agencia_dv: 'texto',
  conta: 'texto',
  conta_dv: 'texto',
  carteira: 'texto',
  variacao: 'texto',
  codigo: 'texto',
  codigo_transmissao: 'texto',
  posto: 'texto',
  teste: 'caixa',
  juros_ao_mes: 'texto',
  multa: 'texto',
  baixa_em_dias: 'apagavel',
  ajustes: 'texto',
  proximo_nsa: 'texto',
  proximo_numero: 'texto',
} as const;

const campo = (estado: EstadoDoFormulario, nome: keyof typeof ROTULOS): Html => {
  const dica = DICAS[nome];
  return entrada(estado, { nome, rotulo: ROTULOS[nome], maximo: 120, ...(dica === undefined ? {} : { dica }) });
};

const campos = (estado: EstadoDoFormulario): Html => html`
  ${entrada(estado, { nome: 'nome', rotulo: ROTULOS.nome, maximo: 120, obrigatorio: true, dica: 'Só a equipe o vê.' })}
  <div class="grade">
    ${campo(estado, 'agencia')} ${campo(estado, 'agencia_dv')} ${campo(estado, 'conta')} ${campo(estado, 'conta_dv')}
    ${campo(estado, 'carteira')} ${campo(estado, 'codigo')} ${campo(estado, 'variacao')} ${campo(estado, 'posto')}
    ${campo(estado, 'codigo_transmissao')} ${campo(estado, 'juros_ao_mes')} ${campo(estado, 'multa')}
    ${campo(estado, 'baixa_em_dias')} ${campo(estado, 'proximo_numero')} ${campo(estado, 'proximo_nsa')}
  </div>
  ${caixa(estado, { nome: 'teste', rotulo: ROTULOS.teste, dica: 'Marca os arquivos como teste onde o banco tem marca para isso.' })}
  ${area(estado, { nome: 'ajustes', rotulo: ROTULOS.ajustes, linhas: 3, dica: 'O que o banco pede de outro jeito, em JSON. Vazio: o habitual.' })}
`;

export async function telaDosConvenios({ dominio }: Pick<Chamada, 'dominio'>): Promise<Tela> {
  const convenios = await dominio.boletos.convenios();
  return {
    titulo: 'Convênios bancários',
    menu: 'bancos',
    acoes: html`<a class="btn btn-primary" href="${BASE}${CONVENIOS_EM}/novo">${icone('plus')} Novo convênio</a>`,
    corpo: cartao(
      null,
      tabela({
        legenda: 'Convênios bancários',
        linhas: convenios,
        colunas: [
          {
            titulo: 'Convênio',
            principal: true,
            celula: ({ id, nome }) => html`<a href="${BASE}${CONVENIOS_EM}/${id}">${nome}</a>`,
          },
          { titulo: 'Banco', celula: ({ banco }) => NOMES_DOS_BANCOS[banco] },
          { titulo: 'Carteira', celula: ({ carteira }) => carteira },
          { titulo: 'Formato', celula: ({ formato }) => `CNAB ${formato}` },
          { titulo: 'Situação', celula: situacao },
        ],
        vazia: vazio(
          'building-bank',
          'Nenhum convênio',
          'Com um convênio, os boletos das faturas novas são registrados no banco por aqui.',
        ),
      }),
      { rente: true },
    ),
  };
}

const situacao = ({ emite, teste }: ConvenioRow): Html =>
  html`<div>
    ${emite === 1 ? etiqueta('Emite', 'green') : etiqueta('Não emite', 'secondary')}
    ${teste === 1 ? etiqueta('Teste', 'yellow') : null}
  </div>`;

export async function telaDoNovoConvenio(
  { dominio }: Pick<Chamada, 'dominio'>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const contas = (await dominio.cobradores.listar()).filter(({ ativo }) => ativo);
  return {
    titulo: 'Novo convênio',
    menu: 'bancos',
    migalhas: [['Convênios bancários', CONVENIOS_EM]],
    corpo: cartao(
      null,
      formulario({
        para: `${CONVENIOS_EM}/novo`,
        estado,
        rotulos: ROTULOS,
        enviar: 'Criar convênio',
        volta: CONVENIOS_EM,
        corpo: html`<div class="grade">
            ${escolha(estado, {
              nome: 'banco',
              rotulo: ROTULOS.banco,
              obrigatorio: true,
              vazia: 'Escolha',
              opcoes: Object.entries(NOMES_DOS_BANCOS).map(([valor, nome]) => ({ valor, texto: `${valor} ${nome}` })),
            })}
            ${escolha(estado, {
              nome: 'cobrador_id',
              rotulo: ROTULOS.cobrador_id,
              obrigatorio: true,
              vazia: 'Escolha',
              opcoes: contas.map(({ id, nome }) => ({ valor: String(id), texto: nome })),
            })}
          </div>
          ${campos(estado)}`,
      }),
    ),
  };
}

export async function telaDoConvenio(
  { dominio, parametros: { id } }: Pick<Chamada<{ readonly id: number }>, 'dominio' | 'parametros'>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const convenio = await dominio.boletos.convenio(id);
  const em = `${CONVENIOS_EM}/${id}`;
  return {
    titulo: convenio.nome,
    menu: 'bancos',
    migalhas: [['Convênios bancários', CONVENIOS_EM]],
    acoes: situacao(convenio),
    corpo: html`${cartao(
      `${NOMES_DOS_BANCOS[convenio.banco]}, CNAB ${convenio.formato}`,
      formulario({
        para: em,
        estado,
        rotulos: ROTULOS,
        enviar: 'Salvar',
        volta: CONVENIOS_EM,
        corpo: html`${versaoAtual(estado, versaoDe(camposDoConvenio(convenio)))} ${campos(estado)}`,
      }),
    )}
    ${cartao(
      'Uso',
      convenio.emite === 1
        ? html`<p>Os boletos das faturas novas da conta são registrados por ele.</p>
            ${botao({ para: `${em}/desativar`, texto: 'Deixar de emitir', classe: 'btn btn-outline-danger' })}`
        : html`<p>
              Não registra boletos novos; os que registrou continuam. Ao passar a emitir, toma o lugar do outro convênio
              da mesma conta, se há.
            </p>
            ${botao({ para: `${em}/ativar`, texto: 'Passar a emitir' })}`,
    )}`,
  };
}

/** What the form begins with. */
export const valoresDoConvenio = ({ juros_ao_mes: juros, multa, teste, ajustes, ...row }: ConvenioRow) => ({
  nome: row.nome,
  agencia: row.agencia,
  agencia_dv: row.agencia_dv,
  conta: row.conta,
  conta_dv: row.conta_dv,
  carteira: row.carteira,
  variacao: row.variacao,
  codigo: row.codigo,
  codigo_transmissao: row.codigo_transmissao,
  posto: row.posto,
  baixa_em_dias: row.baixa_em_dias,
  proximo_nsa: row.proximo_nsa,
  juros_ao_mes: juros / 100,
  multa: multa / 100,
  teste: teste === 1,
  ajustes: ajustes === null ? '' : typeof ajustes === 'string' ? ajustes : JSON.stringify(ajustes),
});
