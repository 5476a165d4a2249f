import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { exigido, lerCampos } from '../../../domain/campos/campos.ts';
import { escolha } from '../../../domain/campos/leitores.ts';
import { AMBIENTES_DE_NFCOM } from '../../../domain/nfcom/nfcom.types.ts';
import { bem, mal } from '../../../domain/campos/campos.ts';
import type { Leitor } from '../../../domain/campos/campos.ts';
import { lerFiltro } from '../../../domain/nfcom/emissao/emissao.campos.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { ACOES_DA_NOTA } from './acoes.rotas.ts';
import { CLIENTE_FISCAL } from './cliente.rotas.ts';
import { CERTIFICADO } from './configuracao/certificado.rotas.ts';
import { CONFIGURACAO } from './configuracao/configuracao.rotas.ts';
import { COMPOSICAO } from './configuracao/composicao.rotas.ts';
import { MUNICIPIOS } from './configuracao/municipios.rotas.ts';
import { SERVICOS } from './configuracao/servicos.rotas.ts';
import { CONSULTA_DA_EMISSAO, comCaixa, telaDaEmissao } from './emitir.ts';
import { CONSULTA_DA_LISTA, telaDaLista } from './lista.ts';
import { CANCELAMENTO } from './fila/cancelar.rotas.ts';
import { FREIO } from './fila/freio.rotas.ts';
import { arquivoDoMes, mesPassado, telaDoMes } from './mes.ts';
import { telaDaNota } from './nota.ts';
import { DESISTIDAS } from './fila/desistidas.rotas.ts';
import { SOMA } from './previa/soma.rotas.ts';
import { REEMISSAO } from './fila/reemitir.rotas.ts';

const mes: Leitor<string> = (valor) =>
  typeof valor === 'string' && /^20\d\d-(?:0[1-9]|1[0-2])$/.test(valor.trim())
    ? bem(valor.trim())
    : mal('deve ser um mês, como 2026-11');

/** Fiscal notes: what there is, what is issued, and how. */
export const NFCOM: readonly Rota[] = [
  pagina('/nfcom', {
    permissao: 'nfcom.ver',
    consulta: CONSULTA_DA_LISTA,
    mostrar: async (chamada) => ({ tela: await telaDaLista(chamada) }),
  }),
  pagina('/nfcom/emitir', {
    permissao: 'nfcom.emitir',
    consulta: CONSULTA_DA_EMISSAO,
    mostrar: async (chamada) => ({ tela: await telaDaEmissao(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/emitir', {
    permissao: 'nfcom.emitir',
    campos: {
      emitidas_de: 'data',
      emitidas_ate: 'data',
      vencimento_de: 'data',
      vencimento_ate: 'data',
      plano_id: 'texto',
      cliente_id: 'texto',
      uf: 'texto',
      abertas: 'texto',
    },
    consulta: CONSULTA_DA_EMISSAO,
    formulario: telaDaEmissao,
    async fazer({ dados, mudar }) {
      const filtro = lerFiltro(comCaixa(dados));
      for (let depoisDe: number | null = 0; depoisDe !== null;) {
        const ultima: number = depoisDe;
        const { proxima } = await mudar(async (_dominio, { nfcom }) => nfcom.pedirLote(filtro, ultima));
        depoisDe = proxima;
      }
      return { ir: '/nfcom', feito: 'notas_na_fila' };
    },
  }),
  ...SOMA,
  ...REEMISSAO,
  ...CANCELAMENTO,
  ...DESISTIDAS,
  acao('/nfcom/retomar', {
    permissao: 'nfcom.emitir',
    async fazer({ mudar }) {
      await mudar(async (_dominio, { nfcom }) => nfcom.retomar());
      return { ir: '/nfcom', feito: 'salvo' };
    },
  }),
  ...FREIO,
  pagina('/nfcom/mes', {
    permissao: 'exportar',
    async mostrar({ dominio, sessao, agora }) {
      const { ambiente } = await dominio.configuracaoNfcom.buscar();
      const passado = mesPassado(sessao.provedor.fusoHorario, agora);
      return { tela: await telaDoMes(preenchido({ mes: passado, ambiente })) };
    },
  }),
  acao('/nfcom/mes', {
    permissao: 'exportar',
    tambem: ['nfcom.ver'],
    prova: true,
    campos: { mes: 'texto', ambiente: 'texto' },
    formulario: async (_chamada, estado) => telaDoMes(estado),
    async fazer(chamada) {
      const { dados, sessao, ler, agora } = chamada;
      const qual = lerCampos({ mes: exigido(mes), ambiente: exigido(escolha(AMBIENTES_DE_NFCOM)) }, dados);
      const { id: usuarioId } = sessao.usuario;
      await ler(async ({ acessos }) => acessos.anotarAcesso({ usuarioId, clienteId: null, oQue: 'csv' }));
      const sufixo = qual.ambiente === 'producao' ? '' : '-homologacao';
      const nome = `nfcom-${qual.mes}${sufixo}-de-${hojeEm(sessao.provedor.fusoHorario, agora)}.zip`;
      return { arquivo: { nome, tipo: 'application/zip', corpo: arquivoDoMes(chamada, qual) } };
    },
  }),
  pagina('/nfcom/{id}', {
    permissao: 'nfcom.ver',
    mostrar: async (chamada) => ({ tela: await telaDaNota(chamada) }),
  }),
  ...ACOES_DA_NOTA,
  acao('/faturas/{id}/nfcom', {
    permissao: 'nfcom.emitir',
    async fazer({ parametros: { id }, mudar }) {
      const nota = await mudar(async (_dominio, { nfcom }) => nfcom.pedir(id));
      return { ir: `/nfcom/${nota}`, feito: 'nota_na_fila' };
    },
  }),
  ...CONFIGURACAO,
  ...CERTIFICADO,
  ...SERVICOS,
  ...COMPOSICAO,
  ...MUNICIPIOS,
  ...CLIENTE_FISCAL,
];
