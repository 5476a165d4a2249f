import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { EM_BRANCO, preenchido } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { botao, formulario } from '../../formulario/formulario.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import { comVersao, versaoAtual } from '../../formulario/versao.ts';
import { naoEncontrado } from '../../recusas.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { CAMINHO } from './configuracao.ts';
import {
  AQUI,
  GRUPOS,
  ROTULOS_DO_GRUPO,
  ROTULOS_DO_SERVICO,
  camposDoGrupo,
  camposDoServico,
  doGrupo,
  doServico,
  listas,
} from './servicos.ts';

type DeUm = Chamada<{ readonly id: number }>;

const permissao = 'nfcom.configurar';

const DO_SERVICO: Readonly<Record<string, TipoDeCampo>> = {
  codigo: 'texto',
  descricao: 'texto',
  classe: 'texto',
  cfop: 'apagavel',
  unidade: 'texto',
  grupo_id: 'texto',
};

const DO_GRUPO: Readonly<Record<string, TipoDeCampo>> = {
  nome: 'texto',
  icms: 'texto',
  icms_aliquota: 'decimal',
  icms_reducao: 'decimal',
  fcp: 'decimal',
  beneficio: 'texto',
  beneficio_aliquota: 'decimal',
  pis_cst: 'texto',
  pis: 'decimal',
  cofins_cst: 'texto',
  cofins: 'decimal',
  icms_fora_da_base: 'caixa',
  fust: 'decimal',
  funttel: 'decimal',
  ibs_cbs_cst: 'texto',
  ibs_cbs_classe: 'texto',
};

const naTela = (titulo: string, corpo: Html, acoes: Html | null = null): Tela => ({
  titulo,
  menu: 'configuracao-nfcom',
  migalhas: [
    ['Notas fiscais', CAMINHO],
    ['Serviços e tributos', AQUI],
  ],
  acoes,
  corpo: html`<div class="largura-leitura">${cartao(null, corpo)}</div>`,
});

async function telaDoServico({ dominio }: Chamada, estado: EstadoDoFormulario): Promise<Tela> {
  const grupos = await dominio.servicosNfcom.grupos();
  const corpo = formulario({
    para: `${AQUI}/novo`,
    estado,
    rotulos: ROTULOS_DO_SERVICO,
    enviar: 'Criar serviço',
    volta: AQUI,
    corpo: camposDoServico(estado, grupos),
  });
  return naTela('Novo serviço', corpo);
}

async function exigirServico({ dominio, parametros: { id } }: Pick<DeUm, 'dominio' | 'parametros'>) {
  const servico = (await dominio.servicosNfcom.servicos()).find((um) => um.id === id);
  if (servico === undefined) throw naoEncontrado();
  return servico;
}

async function telaDeUmServico(chamada: DeUm, dado: EstadoDoFormulario | null): Promise<Tela> {
  const servico = await exigirServico(chamada);
  const grupos = await chamada.dominio.servicosNfcom.grupos();
  const estado = dado ?? doServico(servico);
  return naTela(
    servico.descricao,
    formulario({
      para: `${AQUI}/${servico.id}`,
      estado,
      rotulos: ROTULOS_DO_SERVICO,
      enviar: 'Salvar',
      volta: AQUI,
      corpo: html`${versaoAtual(estado, servico.versao)} ${camposDoServico(estado, grupos)}`,
    }),
    botao({ para: `${AQUI}/${servico.id}/remover`, texto: 'Remover', classe: 'btn btn-outline-danger' }),
  );
}

const telaDoGrupo = async (_chamada: Chamada, estado: EstadoDoFormulario): Promise<Tela> =>
  naTela(
    'Novo grupo fiscal',
    formulario({
      para: `${GRUPOS}/novo`,
      estado,
      rotulos: ROTULOS_DO_GRUPO,
      enviar: 'Criar grupo',
      volta: AQUI,
      corpo: camposDoGrupo(estado),
    }),
  );

async function exigirGrupo({ dominio, parametros: { id } }: Pick<DeUm, 'dominio' | 'parametros'>) {
  const grupo = (await dominio.servicosNfcom.grupos()).find((um) => um.id === id);
  if (grupo === undefined) throw naoEncontrado();
  return grupo;
}

async function telaDeUmGrupo(chamada: DeUm, dado: EstadoDoFormulario | null): Promise<Tela> {
  const grupo = await exigirGrupo(chamada);
  const estado = dado ?? doGrupo(grupo);
  return naTela(
    grupo.nome,
    formulario({
      para: `${GRUPOS}/${grupo.id}`,
      estado,
      rotulos: ROTULOS_DO_GRUPO,
      enviar: 'Salvar',
      volta: AQUI,
      corpo: html`${versaoAtual(estado, grupo.versao)} ${camposDoGrupo(estado)}`,
    }),
    botao({ para: `${GRUPOS}/${grupo.id}/remover`, texto: 'Remover', classe: 'btn btn-outline-danger' }),
  );
}

/** What a provider sells, and with which taxes. */
export const SERVICOS: readonly Rota[] = [
  pagina(AQUI, {
    permissao,
    async mostrar({ dominio: { servicosNfcom } }) {
      const [servicos, grupos] = await Promise.all([servicosNfcom.servicos(), servicosNfcom.grupos()]);
      const corpo = listas(servicos, grupos);
      return {
        tela: {
          titulo: 'Serviços e tributos',
          menu: 'configuracao-nfcom',
          migalhas: [['Notas fiscais', CAMINHO]],
          corpo,
        },
      };
    },
  }),
  pagina(`${AQUI}/novo`, {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDoServico(chamada, preenchido({ unidade: 4 })) }),
  }),
  acao(`${AQUI}/novo`, {
    permissao,
    campos: DO_SERVICO,
    formulario: telaDoServico,
    async fazer({ dados, mudar }) {
      await mudar(async (_dominio, { servicosNfcom }) => servicosNfcom.criarServico(dados));
      return { ir: AQUI, feito: 'criado' };
    },
  }),
  pagina(`${AQUI}/{id}`, { permissao, mostrar: async (chamada) => ({ tela: await telaDeUmServico(chamada, null) }) }),
  acao(`${AQUI}/{id}`, {
    permissao,
    campos: { ...DO_SERVICO, versao: 'texto' },
    formulario: telaDeUmServico,
    async fazer({ parametros: { id }, dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_dominio, { servicosNfcom }) => servicosNfcom.alterarServico(id, dados, lida));
      return { ir: AQUI, feito: 'salvo' };
    },
  }),
  acao(`${AQUI}/{id}/remover`, {
    permissao,
    async fazer({ parametros, mudar }) {
      await mudar(async (dominio, { servicosNfcom }) => {
        await exigirServico({ dominio, parametros });
        await servicosNfcom.removerServico(parametros.id);
      });
      return { ir: AQUI, feito: 'removido' };
    },
  }),
  pagina(`${GRUPOS}/novo`, {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDoGrupo(chamada, EM_BRANCO) }),
  }),
  acao(`${GRUPOS}/novo`, {
    permissao,
    campos: DO_GRUPO,
    formulario: telaDoGrupo,
    async fazer({ dados, mudar }) {
      await mudar(async (_dominio, { servicosNfcom }) => servicosNfcom.criarGrupo(dados));
      return { ir: AQUI, feito: 'criado' };
    },
  }),
  pagina(`${GRUPOS}/{id}`, { permissao, mostrar: async (chamada) => ({ tela: await telaDeUmGrupo(chamada, null) }) }),
  acao(`${GRUPOS}/{id}`, {
    permissao,
    campos: { ...DO_GRUPO, versao: 'texto' },
    formulario: telaDeUmGrupo,
    async fazer({ parametros, dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (dominio, { servicosNfcom }) => {
        await exigirGrupo({ dominio, parametros });
        await servicosNfcom.alterarGrupo(parametros.id, dados, lida);
      });
      return { ir: AQUI, feito: 'salvo' };
    },
  }),
  acao(`${GRUPOS}/{id}/remover`, {
    permissao,
    async fazer({ parametros, mudar }) {
      await mudar(async (dominio, { servicosNfcom }) => {
        await exigirGrupo({ dominio, parametros });
        await servicosNfcom.removerGrupo(parametros.id);
      });
      return { ir: AQUI, feito: 'removido' };
    },
  }),
];
