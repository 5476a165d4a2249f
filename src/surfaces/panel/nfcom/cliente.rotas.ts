import { versaoDoClienteFiscal } from '../../../domain/nfcom/servicos/servicos.campos.ts';
import { html } from '../../../kit/html/html.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { comVersao, versaoAtual } from '../formulario/versao.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { emPorCento } from './configuracao/porcento.ts';

type DoCliente = Chamada<{ readonly id: number }>;

const ROTULOS = {
  indicador_ie: 'Contribuinte do ICMS',
  inscricao_estadual: 'Inscrição estadual',
  inscricao_municipal: 'Inscrição municipal',
  tipo_assinante: 'Tipo de assinante',
  municipio_codigo: 'Código do município (IBGE)',
  'retencoes.pis': 'PIS retido (%)',
  'retencoes.cofins': 'COFINS retida (%)',
  'retencoes.csll': 'CSLL retida (%)',
  'retencoes.irrf': 'IRRF retido (%)',
};

/** tpAssinante of the layout. */
const TIPOS: readonly (readonly [valor: string, texto: string])[] = [
  ['1', 'Comercial'],
  ['2', 'Industrial'],
  ['3', 'Residencial ou pessoa física'],
  ['4', 'Produtor rural'],
  ['5', 'Órgão público estadual'],
  ['6', 'Empresa de telecomunicações'],
  ['7', 'Diplomático'],
  ['8', 'Igreja'],
  ['99', 'Outro'],
];

const INDICADORES = [
  { valor: '9', texto: 'Não é contribuinte' },
  { valor: '1', texto: 'É contribuinte' },
  { valor: '2', texto: 'É isento de inscrição' },
];

async function tela({ dominio, parametros: { id } }: DoCliente, dado: EstadoDoFormulario | null): Promise<Tela> {
  const [cliente, fiscal] = await Promise.all([dominio.clientes.buscarPorId(id), dominio.servicosNfcom.cliente(id)]);
  if (cliente === null) throw naoEncontrado();
  const { retencoes } = fiscal;
  const estado =
    dado ??
    preenchido({
      indicador_ie: fiscal.indicadorIe,
      inscricao_estadual: fiscal.inscricaoEstadual,
      inscricao_municipal: fiscal.inscricaoMunicipal,
      tipo_assinante: fiscal.tipoDeAssinante,
      municipio_codigo: fiscal.municipioCodigo,
      ...(retencoes === null
        ? {}
        : {
            'retencoes.pis': emPorCento(retencoes.pis),
            'retencoes.cofins': emPorCento(retencoes.cofins),
            'retencoes.csll': emPorCento(retencoes.csll),
            'retencoes.irrf': emPorCento(retencoes.irrf),
          }),
    });
  const retida = (nome: keyof typeof ROTULOS) =>
    entrada(estado, { nome, rotulo: ROTULOS[nome], teclado: 'decimal', maximo: 8 });
  return {
    titulo: 'Dados fiscais',
    menu: 'clientes',
    migalhas: [
      ['Clientes', '/clientes'],
      [cliente.nome, `/clientes/${id}`],
    ],
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <p>O que as notas fiscais deste cliente dizem além do cadastro. Para uma pessoa física, quase sempre nada.</p>
        ${formulario({
          para: `/clientes/${id}/nfcom`,
          estado,
          rotulos: ROTULOS,
          enviar: 'Salvar',
          volta: `/clientes/${id}`,
          corpo: html`${versaoAtual(estado, versaoDoClienteFiscal(fiscal))}
            <div class="grade">
              ${escolha(estado, { nome: 'indicador_ie', rotulo: ROTULOS.indicador_ie, obrigatorio: true, opcoes: INDICADORES })}
              ${entrada(estado, { nome: 'inscricao_estadual', rotulo: ROTULOS.inscricao_estadual, maximo: 20 })}
              ${entrada(estado, { nome: 'inscricao_municipal', rotulo: ROTULOS.inscricao_municipal, maximo: 15 })}
              ${escolha(estado, {
                nome: 'tipo_assinante',
                rotulo: ROTULOS.tipo_assinante,
                vazia: 'Pelo documento',
                opcoes: TIPOS.map(([valor, texto]) => ({ valor, texto })),
              })}
              ${entrada(estado, {
                nome: 'municipio_codigo',
                rotulo: ROTULOS.municipio_codigo,
                teclado: 'numeric',
                maximo: 7,
                dica: 'Vazio: pela cidade e UF do endereço.',
              })}
            </div>
            <fieldset>
              <legend>O que o cliente retém</legend>
              <div class="grade">
                ${retida('retencoes.pis')} ${retida('retencoes.cofins')} ${retida('retencoes.csll')}
                ${retida('retencoes.irrf')}
              </div>
            </fieldset>`,
        })}
      </div>
    </div>`,
  };
}

/** What notes say of a client, and his registration does not. */
export const CLIENTE_FISCAL: readonly Rota[] = [
  pagina('/clientes/{id}/nfcom', {
    permissao: 'nfcom.emitir',
    mostrar: async (chamada) => ({ tela: await tela(chamada, null) }),
  }),
  acao('/clientes/{id}/nfcom', {
    permissao: 'nfcom.emitir',
    campos: {
      indicador_ie: 'texto',
      inscricao_estadual: 'apagavel',
      inscricao_municipal: 'apagavel',
      tipo_assinante: 'apagavel',
      municipio_codigo: 'apagavel',
      'retencoes.pis': 'decimal',
      'retencoes.cofins': 'decimal',
      'retencoes.csll': 'decimal',
      'retencoes.irrf': 'decimal',
      versao: 'texto',
    },
    formulario: tela,
    async fazer({ parametros: { id }, dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      const { retencoes } = dados;
      // None of the four: nothing is held back. Some: the others are zero.
      const retidas =
        typeof retencoes === 'object' && retencoes !== null
          ? { pis: '0', cofins: '0', csll: '0', irrf: '0', ...retencoes }
          : null;
      await mudar(async (_dominio, { servicosNfcom }) =>
        servicosNfcom.alterarCliente(id, { ...dados, retencoes: retidas }, lida),
      );
      return { ir: `/clientes/${id}/nfcom`, feito: 'salvo' };
    },
  }),
];
