import { camposDoPop } from '../../../../domain/rede/pops/pops.service.ts';
import { UFS } from '../../../../brazil/pessoa/endereco.ts';
import type { ServidorCadastrado } from '../../../../domain/rede/panorama/panorama.types.ts';
import type { Pop } from '../../../../domain/rede/pops/pops.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { cartao } from '../../componentes/cartao.ts';
import { icone } from '../../componentes/icone.ts';
import { tabela, vazio } from '../../componentes/tabela.ts';
import { entrada, escolha } from '../../formulario/campos.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { versaoLida } from '../../formulario/versao.ts';
import { formulario } from '../../formulario/formulario.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { linkDoServidor, secoes } from '../panorama/telas.ts';

const ROTULOS = {
  nome: 'Nome',
  cidade: 'Cidade',
  uf: 'UF',
  endereco: 'Endereço',
  latitude: 'Latitude',
  longitude: 'Longitude',
} as const;

export const CAMPOS_DO_POP: Readonly<Record<string, TipoDeCampo>> = {
  nome: 'texto',
  cidade: 'texto',
  uf: 'texto',
  endereco: 'apagavel',
  latitude: 'apagavel',
  longitude: 'apagavel',
};

export const novoPop = (sessao: Sessao): Html | null =>
  pode(sessao, 'rede.gerir')
    ? html`<a class="btn btn-primary" href="${BASE}/rede/pops/novo">${icone('plus')} Novo POP</a>`
    : null;

export function listaDePops(sessao: Sessao, pops: readonly Pop[], servidores: readonly ServidorCadastrado[]): Html {
  const gere = pode(sessao, 'rede.gerir');
  const la = (id: number): readonly ServidorCadastrado[] => servidores.filter(({ popId }) => popId === id);
  return html`${secoes('/rede/pops')}
  ${cartao(
    null,
    tabela<Pop>({
      legenda: 'POPs',
      colunas: [
        {
          titulo: 'POP',
          principal: true,
          celula: ({ id, nome }) => (gere ? html`<a href="${BASE}/rede/pops/${id}">${nome}</a>` : nome),
        },
        { titulo: 'Cidade', celula: ({ cidade, uf }) => `${cidade}/${uf}` },
        { titulo: 'Endereço', celula: ({ endereco }) => endereco ?? '–' },
        {
          titulo: 'Mapa',
          celula: ({ latitude, longitude }) =>
            latitude === null || longitude === null
              ? '–'
              : html`<a
                  href="https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}"
                  rel="noopener noreferrer"
                  target="_blank"
                  >${icone('map-pin')} Ver no mapa</a
                >`,
        },
        {
          titulo: 'Servidores',
          celula: ({ id }) =>
            la(id).length === 0 ? 'nenhum' : html`<span>${la(id).map((um) => html`${linkDoServidor(um)} `)}</span>`,
        },
        ...(gere
          ? [
              {
                titulo: 'Ações',
                celula: ({ id }: Pop) =>
                  html`<span class="acoes"
                    ><a class="btn btn-sm" href="${BASE}/rede/pops/${id}">Mudar</a>
                    <a class="btn btn-sm" href="${BASE}/rede/pops/${id}/remover">Remover</a></span
                  >`,
              },
            ]
          : []),
      ],
      linhas: pops,
      vazia: vazio(
        'building-broadcast-tower',
        'Nenhum POP ainda',
        'Um POP é um lugar onde ficam servidores: por ele se avisa de uma vez quem passa por todos eles.',
        novoPop(sessao),
      ),
    }),
    { rente: true },
  )}`;
}

/** @param pop null of a new one */
export function formularioDoPop(estado: EstadoDoFormulario, pop: Pop | null): Html {
  const id = pop?.id ?? null;
  const corpo = html`${pop === null ? null : versaoLida({ estado, campos: camposDoPop(pop), rotulos: ROTULOS })}
    ${entrada(estado, { nome: 'nome', rotulo: ROTULOS.nome, obrigatorio: true, maximo: 80 })}
    <div class="grade">
      ${entrada(estado, { nome: 'cidade', rotulo: ROTULOS.cidade, obrigatorio: true, maximo: 80 })}
      ${escolha(estado, {
        nome: 'uf',
        rotulo: ROTULOS.uf,
        vazia: 'Escolha',
        obrigatorio: true,
        opcoes: UFS.map((uf) => ({ valor: uf, texto: uf })),
      })}
    </div>
    ${entrada(estado, { nome: 'endereco', rotulo: ROTULOS.endereco, maximo: 200 })}
    <div class="grade">
      ${entrada(estado, { nome: 'latitude', rotulo: ROTULOS.latitude, dica: 'Em graus, como -22,224512.', maximo: 20 })}
      ${entrada(estado, { nome: 'longitude', rotulo: ROTULOS.longitude, dica: 'Em graus, como -45,912310.', maximo: 20 })}
    </div>`;
  return cartao(
    null,
    formulario({
      para: id === null ? '/rede/pops/novo' : `/rede/pops/${id}`,
      estado,
      rotulos: ROTULOS,
      corpo,
      enviar: id === null ? 'Criar POP' : 'Salvar',
      volta: '/rede/pops',
    }),
  );
}
