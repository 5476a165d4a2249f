import type { GrupoFiscal, ServicoNfcom } from '../../../../domain/nfcom/servicos/servicos.types.ts';
import type { TributosDoItem } from '../../../../brazil/nfcom/base/tributos.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { cartao } from '../../componentes/cartao.ts';
import { icone } from '../../componentes/icone.ts';
import { tabela, vazio } from '../../componentes/tabela.ts';
import { caixa, entrada, escolha } from '../../formulario/campos.ts';
import { preenchido, recusado } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { emPorCento } from './porcento.ts';
import { CAMINHO } from './configuracao.ts';

export const AQUI = `${CAMINHO}/servicos`;
export const GRUPOS = `${CAMINHO}/grupos`;

export const ROTULOS_DO_SERVICO = {
  codigo: 'Código',
  descricao: 'Descrição na nota',
  classe: 'Classe do item (cClass)',
  cfop: 'CFOP',
  unidade: 'Unidade',
  grupo_id: 'Grupo fiscal',
  servico_id: 'Serviço',
};

export const ROTULOS_DO_GRUPO = {
  nome: 'Nome',
  icms: 'ICMS',
  icms_aliquota: 'Alíquota do ICMS (%)',
  icms_reducao: 'Redução da base (%)',
  fcp: 'FCP (%)',
  beneficio: 'Código do benefício',
  beneficio_aliquota: 'Alíquota sem o benefício (%)',
  pis_cst: 'CST do PIS',
  pis: 'PIS (%)',
  cofins_cst: 'CST da COFINS',
  cofins: 'COFINS (%)',
  icms_fora_da_base: 'O ICMS sai da base de PIS e COFINS',
  fust: 'FUST (%)',
  funttel: 'FUNTTEL (%)',
  ibs_cbs_cst: 'CST de IBS e CBS',
  ibs_cbs_classe: 'Classificação de IBS e CBS (cClassTrib)',
  grupo_id: 'Grupo fiscal',
};

const ICMS: Readonly<Record<string, string>> = {
  simples: 'Simples Nacional',
  fora: 'Fora do ICMS (SVA, multas, locação)',
  '00': '00 Tributado',
  '20': '20 Com redução da base',
  '40': '40 Isento',
  '41': '41 Não tributado',
  '51': '51 Diferido',
  '90': '90 Outros',
};

const UNIDADES = [
  { valor: '4', texto: 'Unidade' },
  { valor: '1', texto: 'Minuto' },
  { valor: '2', texto: 'MB' },
  { valor: '3', texto: 'GB' },
];

const CSTS = ['01', '02', '06', '07', '08', '09', '49'].map((valor) => ({ valor, texto: valor }));

export function listas(servicos: readonly ServicoNfcom[], grupos: readonly GrupoFiscal[]): Html {
  const nomes = new Map(grupos.map(({ id, nome }) => [id, nome]));
  return html`${cartao(
    'Serviços',
    tabela({
      legenda: 'Serviços',
      linhas: servicos,
      vazia: vazio('package', 'Nenhum serviço', 'Cada serviço é um item que as notas podem ter.'),
      colunas: [
        {
          titulo: 'Serviço',
          principal: true,
          celula: ({ id, descricao }) => html`<a href="${BASE}${AQUI}/${id}">${descricao}</a>`,
        },
        { titulo: 'Código', celula: ({ codigo }) => codigo },
        { titulo: 'Classe', celula: ({ classe }) => classe },
        { titulo: 'CFOP', celula: ({ cfop }) => cfop },
        { titulo: 'Grupo fiscal', celula: ({ grupoId }) => nomes.get(grupoId) ?? null },
      ],
    }),
    { rente: true, acoes: html`<a class="btn" href="${BASE}${AQUI}/novo">${icone('plus')} Novo serviço</a>` },
  )}
  ${cartao(
    'Grupos fiscais',
    tabela({
      legenda: 'Grupos fiscais',
      linhas: grupos,
      vazia: vazio('receipt', 'Nenhum grupo fiscal', 'Um grupo fiscal diz os tributos dos serviços que o têm.'),
      colunas: [
        {
          titulo: 'Grupo',
          principal: true,
          celula: ({ id, nome }) => html`<a href="${BASE}${GRUPOS}/${id}">${nome}</a>`,
        },
        { titulo: 'ICMS', celula: ({ tributos: { icms } }) => ICMS[icms.cst] ?? icms.cst },
        { titulo: 'PIS', direita: true, celula: ({ tributos: { pis } }) => comPorCento(pis?.aliquota ?? null) },
        {
          titulo: 'COFINS',
          direita: true,
          celula: ({ tributos: { cofins } }) => comPorCento(cofins?.aliquota ?? null),
        },
        { titulo: 'FUST', direita: true, celula: ({ tributos: { fust } }) => comPorCento(fust) },
        { titulo: 'FUNTTEL', direita: true, celula: ({ tributos: { funttel } }) => comPorCento(funttel) },
      ],
    }),
    { rente: true, acoes: html`<a class="btn" href="${BASE}${GRUPOS}/novo">${icone('plus')} Novo grupo</a>` },
  )}`;
}

const comPorCento = (taxa: number | null): string | null => (taxa === null ? null : `${emPorCento(taxa) ?? ''}%`);

export const doServico = ({ codigo, descricao, classe, cfop, unidade, grupoId }: ServicoNfcom): EstadoDoFormulario =>
  preenchido({ codigo, descricao, classe, cfop, unidade, grupo_id: grupoId });

export const camposDoServico = (estado: EstadoDoFormulario, grupos: readonly GrupoFiscal[]): Html =>
  html`<div class="grade">
    ${entrada(estado, { nome: 'descricao', rotulo: ROTULOS_DO_SERVICO.descricao, obrigatorio: true, maximo: 120 })}
    ${entrada(estado, { nome: 'codigo', rotulo: ROTULOS_DO_SERVICO.codigo, obrigatorio: true, maximo: 60 })}
    ${entrada(estado, { nome: 'classe', rotulo: ROTULOS_DO_SERVICO.classe, obrigatorio: true, teclado: 'numeric', maximo: 7, dica: '0400401 é acesso à internet; 0600601, valor adicionado.' })}
    ${entrada(estado, { nome: 'cfop', rotulo: ROTULOS_DO_SERVICO.cfop, teclado: 'numeric', maximo: 5, dica: '5307 para quem não é contribuinte. Vazio: fora do ICMS.' })}
    ${escolha(estado, { nome: 'unidade', rotulo: ROTULOS_DO_SERVICO.unidade, obrigatorio: true, opcoes: UNIDADES })}
    ${escolha(estado, {
      nome: 'grupo_id',
      rotulo: ROTULOS_DO_SERVICO.grupo_id,
      obrigatorio: true,
      opcoes: grupos.map(({ id, nome }) => ({ valor: String(id), texto: nome })),
    })}
  </div>`;

/** A group as its form has it. */
export function doGrupo({ nome, tributos, ibsCbs }: GrupoFiscal): EstadoDoFormulario {
  const { icms, pis, cofins, icmsForaDaBase, fust, funttel } = tributos;
  return preenchido({
    nome,
    icms: icms.cst,
    ...doIcms(icms),
    pis_cst: pis?.cst ?? null,
    pis: emPorCento(pis?.aliquota ?? null),
    cofins_cst: cofins?.cst ?? null,
    cofins: emPorCento(cofins?.aliquota ?? null),
    icms_fora_da_base: icmsForaDaBase,
    fust: emPorCento(fust),
    funttel: emPorCento(funttel),
    ibs_cbs_cst: ibsCbs?.cst ?? null,
    ibs_cbs_classe: ibsCbs?.classe ?? null,
  });
}

function doIcms(icms: TributosDoItem['icms']) {
  const beneficio = 'beneficio' in icms ? icms.beneficio : null;
  return {
    icms_aliquota: 'aliquota' in icms ? emPorCento(icms.aliquota) : null,
    icms_reducao: 'reducao' in icms ? emPorCento(icms.reducao) : null,
    fcp: 'fcp' in icms ? emPorCento(icms.fcp) : null,
    beneficio: beneficio?.codigo ?? null,
    beneficio_aliquota: emPorCento(beneficio?.aliquotaCheia ?? null),
  };
}

export function camposDoGrupo(estado: EstadoDoFormulario): Html {
  const taxa = (nome: keyof typeof ROTULOS_DO_GRUPO): Html =>
    entrada(estado, { nome, rotulo: ROTULOS_DO_GRUPO[nome], teclado: 'decimal', maximo: 8 });
  const cst = (nome: 'pis_cst' | 'cofins_cst'): Html =>
    escolha(estado, { nome, rotulo: ROTULOS_DO_GRUPO[nome], vazia: 'Não vai na nota', opcoes: CSTS });
  return html`${entrada(estado, { nome: 'nome', rotulo: ROTULOS_DO_GRUPO.nome, obrigatorio: true, maximo: 80 })}
    ${escolha(estado, {
      nome: 'icms',
      rotulo: ROTULOS_DO_GRUPO.icms,
      obrigatorio: true,
      opcoes: Object.entries(ICMS).map(([valor, texto]) => ({ valor, texto })),
    })}
    <details class="mb-3" ${recusado(estado) ? html`open` : null}>
      <summary>Alíquotas e outros tributos</summary>
      <div class="grade mt-3">
        ${taxa('icms_aliquota')} ${taxa('fcp')} ${taxa('icms_reducao')}
        ${entrada(estado, { nome: 'beneficio', rotulo: ROTULOS_DO_GRUPO.beneficio, maximo: 10 })}
        ${taxa('beneficio_aliquota')} ${cst('pis_cst')} ${taxa('pis')} ${cst('cofins_cst')} ${taxa('cofins')}
        ${taxa('fust')} ${taxa('funttel')}
        ${entrada(estado, { nome: 'ibs_cbs_cst', rotulo: ROTULOS_DO_GRUPO.ibs_cbs_cst, teclado: 'numeric', maximo: 3 })}
        ${entrada(estado, { nome: 'ibs_cbs_classe', rotulo: ROTULOS_DO_GRUPO.ibs_cbs_classe, teclado: 'numeric', maximo: 6 })}
      </div>
      ${caixa(estado, { nome: 'icms_fora_da_base', rotulo: ROTULOS_DO_GRUPO.icms_fora_da_base })}
    </details>`;
}
