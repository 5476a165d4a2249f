import { corteDoAtraso } from '../../../brazil/calendario/calendario-bancario.ts';
import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { cancelarContratos } from '../../contratos/cancelamento.service.ts';
import { travarContratos } from '../../contratos/movimentos/travas.service.ts';
import type { ContratoTravado } from '../../contratos/movimentos/travas.service.ts';
import { apurarFaturas } from '../../faturas/apuracao.service.ts';
import { COLUNAS_DA_FATURA } from '../../faturas/faturas.types.ts';
import type { Fatura } from '../../faturas/faturas.types.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';
import { contratoTag } from '../../tags.ts';
import { avisoDe, passosDados, retencoes, ultimoPasso } from './fatos.queries.ts';
import type { Rodada } from './mensagens.ts';
import { destinatarios, dizer, registrar, rescindivelDesde } from './registro.ts';
import type { PassoNovo } from './registro.ts';
import { avisoCaducou } from '../juizo.regras.ts';
import { MINIMOS_DA_REGUA } from '../regua.types.ts';
import { esperamRetorno } from './retornos.queries.ts';

interface Devedor {
  readonly contrato: ContratoTravado;
  /** When it was blocked, as MySQL writes it. */
  readonly referencia: string;
  readonly bloqueadoEm: Data;
  /** What is late of it, the oldest first. */
  readonly faturas: readonly Fatura[];
}

const DO_BLOQUEIO = columns<{ id: number; bloqueado_em: string | null }>('contratos', {
  id: true,
  bloqueado_em: true,
});

/** Of some contracts, locked from here on, those that billing has blocked, that still owe what is late, and that nothing holds back. */
async function devedores({ w, provedor, dia }: Rodada, ids: readonly number[]): Promise<Devedor[]> {
  const { contratos: travados } = await travarContratos(w, ids);
  const contratos = travados.filter((c) => c.situacao === 'bloqueado' && c.bloqueio_origem === 'financeiro');
  if (contratos.length === 0) return [];
  const desdeQuando = await rowsOf(w.from('contratos').whereIn('id', [...ids]), DO_BLOQUEIO);
  const bloqueio = new Map(desdeQuando.map(({ id, bloqueado_em }) => [id, bloqueado_em]));
  const clientes = contratos.map(({ cliente_id }) => cliente_id);
  const retido = await retencoes(
    w,
    provedor,
    dia,
    clientes,
    contratos.map(({ id }) => id),
  );
  const corte = corteDoAtraso(dia, provedor.regras.calendario);
  const atrasadas = w
    .from('faturas')
    .whereIn('cliente_id', clientes)
    .where('grupo', 'aberta')
    .where('vencimento', '<=', corte)
    .orderBy(['vencimento', 'id']);
  const faturas = await apurarFaturas(w.tenant, provedor, dia, await rowsOf(atrasadas, COLUNAS_DA_FATURA));
  // A payer whom the bank has yet to tell of would stay cancelled: what comes later releases only who is blocked.
  const semRetorno = await esperamRetorno(
    w.tenant,
    provedor,
    dia,
    faturas.map(({ id }) => id),
  );
  const porCliente = groupBy(faturas, ({ clienteId }) => clienteId);
  return contratos.flatMap((contrato): Devedor[] => {
    const { id, cliente_id: clienteId } = contrato;
    const referencia = bloqueio.get(id) ?? null;
    const dele = (porCliente.get(clienteId) ?? []).filter((f) => f.contratoId === id || f.contratoId === null);
    if (referencia === null || dele.length === 0) return [];
    const bloqueadoEm = hojeEm(provedor.fusoHorario, fromDatabaseTime(referencia));
    // What it was blocked for may be paid by now: what is left may be what the agreement holds back.
    const emAcordo =
      retido.acordoEmDia(clienteId, bloqueadoEm) ||
      dele.every(({ vencimento }) => retido.acordoEmDia(clienteId, vencimento));
    const retem =
      emAcordo ||
      retido.pausado({ clienteId, contratoId: id }, true) ||
      retido.prometeu(id) ||
      retido.processando(clienteId) ||
      dele.some((fatura) => semRetorno.has(fatura.id));
    return retem ? [] : [{ contrato, referencia, bloqueadoEm, faturas: dele }];
  });
}

const devido = (faturas: readonly Fatura[]) => centavos(faturas.reduce((soma, { aPagar }) => soma + aPagar, 0));

const passoDe = (
  passo: 'segundo_aviso' | 'rescisao',
  { contrato, referencia, faturas }: Devedor,
): Omit<PassoNovo, 'prazo' | 'dito' | 'temEmail'> => ({
  passo,
  alvoId: contrato.id,
  referencia,
  clienteId: contrato.cliente_id,
  contratoId: contrato.id,
  faturaId: null,
  valor: devido(faturas),
});

/** Tells clients whose contracts are blocked from which day on these may be rescinded. */
export async function avisarRescisao(rodada: Rodada, ids: readonly number[]): Promise<number> {
  const deles = await devedores(rodada, ids);
  const dados = new Set((await passosDados(rodada.w, 'segundo_aviso', ids)).map((p) => `${p.alvo_id} ${p.referencia}`));
  const semAviso = deles.filter(({ contrato, referencia }) => !dados.has(`${contrato.id} ${referencia}`));
  return dizerDaRescisao(
    rodada,
    semAviso.map((devedor) => ({ devedor, vez: 1 })),
  );
}

async function dizerDaRescisao(
  { w, provedor, regua, dia, agora }: Rodada,
  avisos: readonly { readonly devedor: Devedor; readonly vez: number }[],
): Promise<number> {
  if (avisos.length === 0) return 0;
  const para = await destinatarios(
    w,
    avisos.map(({ devedor }) => devedor.contrato.cliente_id),
  );
  const passos = avisos.flatMap(({ devedor, vez }): PassoNovo[] => {
    const { contrato, bloqueadoEm, faturas } = devedor;
    const quem = para.get(contrato.cliente_id);
    const [fatura] = faturas;
    if (quem === undefined || fatura === undefined) return [];
    const daSuspensao = rescindivelDesde(bloqueadoEm, regua);
    const doAviso = somarDias(dia, MINIMOS_DA_REGUA.entreSegundoAvisoERescisao);
    const rescisao = daSuspensao > doAviso ? daSuspensao : doAviso;
    const base = passoDe('segundo_aviso', devedor);
    const valores = { provedor, fatura, nome: quem.nome, valor: base.valor, bloqueio: bloqueadoEm, rescisao };
    const dito = dizer('segundo_aviso', regua, valores);
    return [{ ...base, vez, prazo: rescisao, dito, temEmail: quem.temEmail }];
  });
  const registros = await registrar(w, passos, { dia, agora, historico: 'Aviso de rescisão' });
  for (const [n, { alvoId, clienteId: cliente, valor, prazo }] of passos.entries()) {
    const registro = registros[n];
    if (registro === undefined || prazo === null) continue;
    w.touch(contratoTag(alvoId));
    w.emit('contrato.rescisao_avisada', alvoId, { cliente, registro, valor: escreverDinheiro(valor), prazo });
  }
  return passos.length;
}

/**
 * Cancels contracts whose time is over where the provider has it so; else tells people that they may, who then cancel them by hand, or do
 * not. Once each, for each block. Where the notice of it is too old by now, another is given.
 */
export async function rescindir(rodada: Rodada, ids: readonly number[]): Promise<number> {
  const { w, provedor, regua, dia, agora } = rodada;
  const deles = await devedores(rodada, ids);
  const avisos = await passosDados(w, 'segundo_aviso', ids);
  const dados = new Set((await passosDados(w, 'rescisao', ids)).map((p) => `${p.alvo_id} ${p.referencia}`));
  const julgados = deles.flatMap((devedor) => {
    const { contrato, referencia, bloqueadoEm } = devedor;
    const row = ultimoPasso(avisos, contrato.id, referencia);
    const aviso = avisoDe(provedor.fusoHorario, row);
    if (row === undefined || aviso === null || dados.has(`${contrato.id} ${referencia}`)) return [];
    const dado = aviso.entregueEm ?? (regua.semEntrega ? aviso.dia : null);
    const desde = [
      rescindivelDesde(bloqueadoEm, regua),
      somarDias(dado ?? aviso.dia, MINIMOS_DA_REGUA.entreSegundoAvisoERescisao),
      ...(aviso.prazo === null ? [] : [aviso.prazo]),
    ].reduce((ultima, uma) => (uma > ultima ? uma : ultima));
    const caducou = avisoCaducou(dia, aviso, desde, regua);
    return [{ devedor, vez: row.vez + 1, caducou, podeAgora: dado !== null && dia >= desde && !caducou }];
  });
  const ditos = await dizerDaRescisao(
    rodada,
    julgados.filter(({ caducou }) => caducou),
  );
  const vencidos = julgados.flatMap(({ devedor, podeAgora }) => (podeAgora ? [devedor] : []));
  if (vencidos.length === 0) return ditos;
  const passos = vencidos.map((devedor): PassoNovo => ({
    ...passoDe('rescisao', devedor),
    prazo: null,
    dito: null,
    temEmail: false,
  }));
  const historico = regua.rescinde ? 'Rescindido pela régua de cobrança' : 'Pode ser rescindido: espera a equipe';
  await registrar(w, passos, { dia, agora, historico });
  if (regua.rescinde) {
    await cancelarContratos(
      w,
      provedor,
      vencidos.map(({ contrato }) => contrato),
      { motivo: 'Falta de pagamento', definitivo: false, agora },
    );
    return ditos + passos.length;
  }
  await tocarSino(
    w,
    passos.map(({ alvoId }) => ({
      tipo: 'contrato.rescisao_devida',
      origem: 'Régua',
      recurso: 'contrato',
      recursoId: alvoId,
    })),
    agora,
  );
  for (const { alvoId, clienteId: cliente, valor } of passos) {
    w.touch(contratoTag(alvoId));
    w.emit('contrato.rescisao_devida', alvoId, { cliente, valor: escreverDinheiro(valor) });
  }
  return ditos + passos.length;
}
