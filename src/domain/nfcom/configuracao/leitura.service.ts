import type { Knex } from 'knex';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { acharMunicipio } from '../../../brazil/municipios/municipios.ts';
import type { Crt } from '../../../brazil/nfcom/base/nota.types.ts';
import { ID, columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { versaoDe } from '../../campos/versao.ts';
import { autorizadorDaUf } from '../autorizador/autorizadores.ts';
import { lerCertificado } from '../certificado/certificado.queries.ts';
import { IBS_CBS_PADRAO } from '../../../brazil/nfcom/itens/ibs-cbs.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { ABANDONADA, prazoDaContingencia } from '../emissao/prazos.regras.ts';
import { PARADA_DA_AUTORIDADE } from '../envio/desfecho.regras.ts';
import { ASSINADAS } from '../envio/envio.types.ts';
import type { Etapa } from '../envio/envio.types.ts';
import { PERGUNTAS } from '../envio/turnos/turnos.regras.ts';
import { OUTRO_AMBIENTE, TIPO_DE_EMISSAO } from '../nfcom.types.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { createConfiguracaoNfcomQueries } from './configuracao.queries.ts';
import type { ConfiguracaoRow, IdentidadeRow } from './configuracao.queries.ts';
import { ESQUEMAS, SIMULTANEAS } from './configuracao.types.ts';
import type { ConfiguracaoNfcom, EmitenteConfigurado, EstadoDaFila, Pendencia } from './configuracao.types.ts';

export type LeituraDaConfiguracaoNfcomService = ReturnType<typeof createLeituraDaConfiguracaoNfcomService>;

interface FilaRow {
  parada_ate: string | null;
  codigo: string | null;
  motivo: string | null;
  falhas: number;
  status_em: string | null;
  status_codigo: string | null;
  pausada_em: string | null;
  pausada_porque: string | null;
  sem_perguntar_ate: string | null;
  outra_parada_ate: string | null;
  outra_codigo: string | null;
  outra_motivo: string | null;
  outra_sem_perguntar_ate: string | null;
}

const DA_FILA = columns<FilaRow>('nfcom_filas', {
  parada_ate: true,
  codigo: true,
  motivo: true,
  sem_perguntar_ate: true,
  falhas: true,
  status_em: true,
  status_codigo: true,
  pausada_em: true,
  pausada_porque: true,
  outra_parada_ate: true,
  outra_codigo: true,
  outra_motivo: true,
  outra_sem_perguntar_ate: true,
});

const PENDENTES = expressions<{ notas: number; desde: string | null }>({
  notas: 'COUNT(*)',
  desde: 'MIN(nfcom.emitida_em)',
});

/** What is set of a provider's notes, and what is missing of it. */
export function createLeituraDaConfiguracaoNfcomService({
  tenant,
  provedor,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'fusoHorario' | 'regras'>;
  readonly relogio: Relogio;
}) {
  const buscar = async (): Promise<ConfiguracaoNfcom> => lerConfiguracaoNfcom(tenant);

  /** Whether some note of an environment waits in one of these stages. */
  async function algumaEm(etapas: readonly Etapa[], ambiente: AmbienteNfcom): Promise<boolean> {
    const delas = tenant
      .from('nfcom', 'nfcom_fila_do_ambiente')
      .whereIn('nfcom.etapa', [...etapas])
      .where({ ambiente });
    return (await rowsOf(delas.limit(1), ID)).length > 0;
  }

  async function dosRestos(row: FilaRow | undefined, ambiente: AmbienteNfcom): Promise<EstadoDaFila['restos']> {
    const agora = relogio.agora();
    const parada = instante(row?.outra_parada_ate);
    const semPerguntar = instante(row?.outra_sem_perguntar_ate);
    if (parada !== null && parada > agora) {
      const motivo = row?.outra_motivo ?? row?.outra_codigo ?? '';
      return (await algumaEm(ASSINADAS, ambiente)) ? { ambiente, ate: parada, motivo } : null;
    }
    if (semPerguntar === null || semPerguntar <= agora || !(await algumaEm(PERGUNTAS, ambiente))) return null;
    return { ambiente, ate: semPerguntar, motivo: 'ela recusa as consultas' };
  }

  return {
    buscar,

    /** What is missing before a note can be issued; none: all is there. */
    async pendencias(): Promise<Pendencia[]> {
      const configuracao = await buscar();
      const certificado = await lerCertificado(tenant);
      const faltam = faltasDoEmitente(configuracao);
      if (certificado === null) faltam.push({ campo: 'certificado', mensagem: 'guarde o certificado A1 do provedor' });
      else if (fromDatabaseTime(certificado.valido_ate) <= relogio.agora()) {
        faltam.push({ campo: 'certificado', mensagem: 'o certificado A1 venceu' });
      }
      return faltam;
    },

    /**
     * The notes issued offline that the authority has not authorised, as far as is known, and until which day the oldest has to be with it; null:
     * there are none. Of those that it rejected, or refused to speak of, only what may still be issued here counts.
     */
    async contingenciaPendente(): Promise<{ readonly notas: number; readonly prazo: Data } | null> {
      const { ambiente } = await buscar();
      const offline = tenant
        .from('nfcom', 'nfcom_offline')
        .where('nfcom.tipo_emissao', TIPO_DE_EMISSAO.contingencia)
        .whereIn('nfcom.situacao', ['processando', 'rejeitada', 'pendente']);
      const delas = offline.where((q) => {
        void q.where('nfcom.situacao', 'processando').orWhere((parada) => {
          const viva = (da: Knex.QueryBuilder): void =>
            void da.whereNull('nfcom.motivo_codigo').orWhereNotIn('nfcom.motivo_codigo', [...ABANDONADA]);
          void parada.where('nfcom.ambiente', ambiente).where(viva);
        });
      });
      const [row] = await rowsOf(delas, PENDENTES);
      if (row === undefined || row.desde === null) return null;
      const prazo = prazoDaContingencia(provedor.fusoHorario, fromDatabaseTime(row.desde), provedor.regras.calendario);
      return { notas: row.notas, prazo };
    },

    /** How the authority answers. */
    async fila(): Promise<EstadoDaFila> {
      const [row] = await rowsOf(tenant.from('nfcom_filas'), DA_FILA);
      const semPerguntarAte = instante(row?.sem_perguntar_ate);
      const { ambiente } = await buscar();
      // Where all of them are left to people by now, nothing is held any more; the next question finds out.
      const segura = semPerguntarAte !== null && (await algumaEm(PERGUNTAS, ambiente));
      const desde = instante(row?.pausada_em);
      const parada = instante(row?.parada_ate);
      // What is over while people have paused it stands there until they have it go on.
      const paradaAte = desde !== null && parada !== null && parada <= relogio.agora() ? null : parada;
      return {
        paradaAte,
        pausa: desde === null ? null : { desde, porque: row?.pausada_porque ?? null },
        podeRetomar: paradaAte !== null && paradaAte > relogio.agora() && !PARADA_DA_AUTORIDADE.has(row?.codigo ?? ''),
        codigo: row?.codigo ?? null,
        motivo: row?.motivo ?? null,
        semPerguntarAte: segura ? semPerguntarAte : null,
        restos: await dosRestos(row, OUTRO_AMBIENTE[ambiente]),
        falhasSeguidas: row?.falhas ?? 0,
        statusEm: instante(row?.status_em),
        statusCodigo: row?.status_codigo ?? null,
      };
    },
  };
}

const instante = (texto: string | null | undefined): Date | null =>
  texto === null || texto === undefined ? null : fromDatabaseTime(texto);

export async function lerConfiguracaoNfcom(tenant: TenantDb): Promise<ConfiguracaoNfcom> {
  const queries = createConfiguracaoNfcomQueries(tenant);
  const row = await queries.ler();
  const identidade = await queries.identidade();
  const numeracao = { ambiente: row?.ambiente ?? ('homologacao' as const), serie: row?.serie ?? 1 };
  return paraConfiguracao(row, identidade, await queries.proximo(numeracao));
}

/** What a form was read with; see `versaoDe`. The numbers that notes took meanwhile are no change of the settings. */
export const versaoDaConfiguracao = (row: ConfiguracaoRow | undefined): string =>
  versaoDe({ atualizado_em: row?.atualizado_em ?? null });

function paraConfiguracao(
  row: ConfiguracaoRow | undefined,
  identidade: IdentidadeRow | undefined,
  proximoNumero: number,
): ConfiguracaoNfcom {
  const emitente = paraEmitente(row, identidade);
  const proprio = json(row?.autorizador);
  const ibsCbs = json(row?.ibs_cbs);
  const desde = row?.contingencia_desde ?? null;
  return {
    automatica: row?.automatica === 1,
    automaticaDesde: (row?.automatica_desde ?? null) as Data | null,
    ambiente: row?.ambiente ?? 'homologacao',
    serie: row?.serie ?? 1,
    proximoNumero,
    crt: (row?.crt ?? 1) as Crt,
    emitente,
    semBoleto: row?.sem_boleto ?? 'recusar',
    linhaFixa: row?.linha_fixa ?? null,
    contingencia: desde === null ? null : { desde: fromDatabaseTime(desde), porque: row?.contingencia_porque ?? '' },
    cancelamentoHoras: row?.cancelamento_horas ?? 120,
    simultaneas: row?.simultaneas ?? SIMULTANEAS,
    esquema: ESQUEMAS.find((um) => um === row?.esquema) ?? ESQUEMAS[0],
    ibsCbs: ibsCbs ?? IBS_CBS_PADRAO,
    ibsCbsProprio: ibsCbs !== null,
    autorizador: proprio ?? (emitente.uf === null ? null : autorizadorDaUf(emitente.uf)),
    autorizadorProprio: proprio !== null,
    autorizados: json(row?.autorizados) ?? [],
    informacoes: row?.informacoes ?? null,
    responsavel: json(row?.responsavel),
    casExtras: row?.cas_extras?.split('BEGIN CERTIFICATE').slice(1).length ?? 0,
    existe: row !== undefined,
    versao: versaoDaConfiguracao(row),
  };
}

const json = <T>(coluna: string | T | null | undefined): T | null =>
  coluna === null || coluna === undefined ? null : jsonColumn<T>(coluna);

/** What was set, field by field, else what the registration says; an address is one or the other as a whole. */
function paraEmitente(row: ConfiguracaoRow | undefined, identidade: IdentidadeRow | undefined): EmitenteConfigurado {
  const endereco = row !== undefined && row.logradouro !== null ? row : identidade;
  const cidade = endereco?.cidade ?? null;
  const uf = endereco?.uf ?? null;
  return {
    cnpj: row?.cnpj ?? identidade?.cnpj ?? null,
    inscricaoEstadual: row?.inscricao_estadual ?? null,
    razaoSocial: row?.razao_social ?? identidade?.razao_social ?? identidade?.nome ?? null,
    nomeFantasia: row?.nome_fantasia ?? identidade?.nome ?? null,
    cep: endereco?.cep ?? null,
    logradouro: endereco?.logradouro ?? null,
    numero: endereco?.numero ?? null,
    complemento: endereco?.complemento ?? null,
    bairro: endereco?.bairro ?? null,
    cidade,
    uf,
    municipioCodigo: row?.municipio_codigo ?? acharMunicipio(cidade, uf)?.codigo ?? null,
    telefone: row?.telefone ?? identidade?.telefone ?? null,
    email: row?.email ?? identidade?.email ?? null,
  };
}

/** What is missing of who issues notes. */
export function faltasDoEmitente({ emitente, semBoleto, linhaFixa }: ConfiguracaoNfcom): Pendencia[] {
  const exigidos: readonly (readonly [campo: string, valor: string | null, mensagem: string])[] = [
    ['cnpj', emitente.cnpj, 'diga o CNPJ do provedor'],
    ['inscricao_estadual', emitente.inscricaoEstadual, 'diga a inscrição estadual do provedor'],
    ['razao_social', emitente.razaoSocial, 'diga a razão social do provedor'],
    ['logradouro', emitente.logradouro, 'diga o endereço do provedor'],
    ['bairro', emitente.bairro, 'diga o bairro do provedor'],
    ['cep', emitente.cep, 'diga o CEP do provedor'],
    ['uf', emitente.uf, 'diga a UF do provedor'],
    ['municipio_codigo', emitente.municipioCodigo, 'a cidade do provedor não é um município que o IBGE conheça'],
  ];
  const faltam = exigidos.flatMap(([campo, valor, mensagem]) => (valor === null ? [{ campo, mensagem }] : []));
  if (semBoleto === 'linha_fixa' && linhaFixa === null) {
    faltam.push({ campo: 'linha_fixa', mensagem: 'diga a linha das faturas sem boleto' });
  }
  return faltam;
}
