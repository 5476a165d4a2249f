import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import type { PlanoComContratos } from '../../../domain/planos/planos.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { abas, cartao, etiqueta } from '../componentes/cartao.ts';
import { inteiro } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, tabela, vazio } from '../componentes/tabela.ts';
import { area, entrada } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

export const ROTULOS = {
  nome: 'Nome',
  download_mbps: 'Download, em Mb/s',
  upload_mbps: 'Upload, em Mb/s',
  valor: 'Valor por mês',
  tecnologia: 'Tecnologia',
  descricao: 'Descrição',
  grupo_radius: 'Grupo no FreeRADIUS',
  codigo_externo: 'Código externo',
  contratos: 'Contratos que têm o valor de agora',
  atualizado_em: 'Plano',
};

export const emReais = (valor: string): string => escreverReais(lerDinheiro(valor));

const novo = (): Html => html`<a class="btn btn-primary" href="${BASE}/planos/novo">${icone('plus')} Novo plano</a>`;

export const acoesDaLista = (sessao: Sessao): Html | null => (pode(sessao, 'planos.gerir') ? novo() : null);

/** Plans, those on sale or those that are not, with how many contracts each has. */
export function corpoDaLista(planos: readonly PlanoComContratos[], foraDeVenda: boolean, sessao: Sessao): Html {
  const gere = pode(sessao, 'planos.gerir');
  const linhas = planos.filter(({ ativo }) => (ativo === 1) !== foraDeVenda);
  const vazia = foraDeVenda
    ? vazio('package', 'Nenhum plano fora de venda', 'Um plano que sai de venda fica aqui, com os contratos que tem.')
    : vazio(
        'package',
        'Nenhum plano à venda',
        'Sem plano não se faz contrato nem convite: crie o primeiro com velocidade e valor.',
        gere ? novo() : null,
      );
  return html`${abas('Planos', [
    { texto: 'À venda', para: '/planos', atual: !foraDeVenda },
    { texto: 'Fora de venda', para: '/planos?venda=nao', atual: foraDeVenda },
  ])}
  ${cartao(
    null,
    tabela({
      legenda: foraDeVenda ? 'Planos fora de venda' : 'Planos à venda',
      linhas,
      vazia,
      colunas: [
        {
          titulo: 'Plano',
          principal: true,
          celula: ({ id, nome }) => (gere ? html`<a href="${BASE}/planos/${id}">${nome}</a>` : nome),
        },
        {
          titulo: 'Velocidade',
          celula: ({ download_mbps: baixa, upload_mbps: sobe }) => `${inteiro(baixa)} / ${inteiro(sobe)} Mb/s`,
        },
        { titulo: 'Valor', direita: true, celula: ({ valor }) => emReais(valor) },
        { titulo: 'Tecnologia', celula: ({ tecnologia }) => tecnologia },
        {
          titulo: 'Contratos',
          direita: true,
          celula: ({ id, contratos }) =>
            contratos === 0
              ? '0'
              : html`<a href="${BASE}${comConsulta('/contratos', { plano: id })}">${inteiro(contratos)}</a>`,
        },
        {
          titulo: 'Venda',
          celula: ({ ativo }) => (ativo === 1 ? etiqueta('À venda', 'green') : etiqueta('Fora de venda', 'secondary')),
        },
      ],
    }),
    { rente: true },
  )}`;
}

/** What a plan is. */
export function camposDoPlano(estado: EstadoDoFormulario): Html {
  return html`${entrada(estado, { nome: 'nome', rotulo: ROTULOS.nome, obrigatorio: true, maximo: 120 })}
    <div class="grade">
      ${entrada(estado, { nome: 'download_mbps', rotulo: ROTULOS.download_mbps, obrigatorio: true, teclado: 'numeric', maximo: 7 })}
      ${entrada(estado, { nome: 'upload_mbps', rotulo: ROTULOS.upload_mbps, obrigatorio: true, teclado: 'numeric', maximo: 7 })}
      ${entrada(estado, { nome: 'valor', rotulo: ROTULOS.valor, obrigatorio: true, teclado: 'decimal', maximo: 16, dica: 'Como 99,90.' })}
      ${entrada(estado, { nome: 'tecnologia', rotulo: ROTULOS.tecnologia, maximo: 40, dica: 'Como fibra ou rádio.' })}
    </div>`;
}

export function camposDeFora(estado: EstadoDoFormulario): Html {
  return html`${area(estado, { nome: 'descricao', rotulo: ROTULOS.descricao, maximo: 1000, linhas: 3, dica: 'Quem se cadastra por convite a lê.' })}
    <div class="grade">
      ${entrada(estado, { nome: 'grupo_radius', rotulo: ROTULOS.grupo_radius, maximo: 64, dica: 'Em branco, o grupo é feito pelo Malha.' })}
      ${entrada(estado, { nome: 'codigo_externo', rotulo: ROTULOS.codigo_externo, maximo: 80, dica: 'O nome dele em outro sistema.' })}
    </div>`;
}
