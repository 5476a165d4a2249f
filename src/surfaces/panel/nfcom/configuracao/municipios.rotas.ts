import { municipioDoCodigo } from '../../../../brazil/municipios/municipios.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { tabela, vazio } from '../../componentes/tabela.ts';
import { entrada } from '../../formulario/campos.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { CAMINHO } from './configuracao.ts';

const AQUI = `${CAMINHO}/municipios`;
const ROTULOS = { cidade: 'Cidade, como está nos endereços', uf: 'UF', codigo: 'Código do município (IBGE)' };

async function tela({ dominio }: Chamada, estado: EstadoDoFormulario): Promise<Tela> {
  const linhas = await dominio.servicosNfcom.municipios();
  return {
    titulo: 'Cidades',
    menu: 'configuracao-nfcom',
    migalhas: [['Notas fiscais', CAMINHO]],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        'Dizer que município é uma cidade',
        html`<p>
            A nota leva o código que o IBGE dá ao município. Os nomes do IBGE são conhecidos; diga aqui os que os seus
            endereços escrevem de outro jeito, como um distrito.
          </p>
          ${formulario({
            para: AQUI,
            estado,
            rotulos: ROTULOS,
            enviar: 'Salvar',
            volta: CAMINHO,
            corpo: html`<div class="grade">
              ${entrada(estado, { nome: 'cidade', rotulo: ROTULOS.cidade, obrigatorio: true, maximo: 100 })}
              ${entrada(estado, { nome: 'uf', rotulo: ROTULOS.uf, obrigatorio: true, maximo: 2 })}
              ${entrada(estado, { nome: 'codigo', rotulo: ROTULOS.codigo, teclado: 'numeric', maximo: 7, dica: 'Vazio: esquece o que foi dito desta cidade.' })}
            </div>`,
          })}`,
      )}
      ${cartao(
        null,
        tabela({
          legenda: 'Cidades que foram ditas',
          linhas,
          vazia: vazio('map-pin', 'Nenhuma cidade', 'Os nomes que o IBGE conhece não precisam ser ditos.'),
          colunas: [
            { titulo: 'Cidade', principal: true, celula: ({ cidade, uf }) => `${cidade}/${uf}` },
            { titulo: 'Código', celula: ({ codigo }) => codigo },
            { titulo: 'Município', celula: ({ codigo }) => municipioDoCodigo(codigo)?.nome ?? null },
          ],
        }),
        { rente: true },
      )}
    </div>`,
  };
}

export const MUNICIPIOS: readonly Rota[] = [
  pagina(AQUI, {
    permissao: 'nfcom.configurar',
    mostrar: async (chamada) => ({ tela: await tela(chamada, EM_BRANCO) }),
  }),
  acao(AQUI, {
    permissao: 'nfcom.configurar',
    campos: { cidade: 'texto', uf: 'texto', codigo: 'apagavel' },
    formulario: tela,
    async fazer({ dados, mudar }) {
      await mudar(async (_dominio, { servicosNfcom }) => servicosNfcom.dizerMunicipio(dados));
      return { ir: AQUI, feito: 'salvo' };
    },
  }),
];
