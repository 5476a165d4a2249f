import { conferirConvenio, formatoDoBanco } from '../../../brazil/cnab/ajustes.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerAlteracao, lerCampos } from '../../campos/campos.ts';
import { conferirLidos } from '../../campos/versao.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { exigirCobrador } from '../../cobradores/cobradores.service.ts';
import { CamposInvalidos, Recusa, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { PROVEDOR_TAG, TAGS_DE_TUDO } from '../../tags.ts';
import { CAMPOS_DA_ALTERACAO, CAMPOS_DO_CONVENIO } from './convenios.campos.ts';
import {
  CAMPOS_QUE_MUDAM as CAMPOS,
  COLUNAS_DO_CONVENIO,
  beneficiarioDe,
  camposDoConvenio,
  convenioDoBanco,
} from './convenios.types.ts';
import type { ConvenioRow } from './convenios.types.ts';
import { avancarSequencia } from './sequencias.ts';

export type CadastroDeConveniosService = ReturnType<typeof createCadastroDeConveniosService>;

interface ConveniosDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** Names of fields that the bank's part calls otherwise. */
const CAMPO_DE: Readonly<Record<string, string>> = {
  agenciaDv: 'agencia_dv',
  contaDv: 'conta_dv',
  convenio: 'codigo',
  codigoTransmissao: 'codigo_transmissao',
  jurosAoMes: 'juros_ao_mes',
  baixaEmDias: 'baixa_em_dias',
};

/** The agreement, locked until the transaction ends: who numbers titles or files of it comes one after the other. @throws Recusa */
export async function travarConvenio(w: Write, id: number): Promise<ConvenioRow> {
  const [row] = await rowsOf(w.from('convenios_bancarios').where({ id }).forUpdate(), COLUNAS_DO_CONVENIO);
  recusarSeNao(row, 'nao_encontrado', { campo: 'convenio' });
  return row;
}

/** Agreements with banks: how boletos of an account are registered. Of an account one issues, at most. */
export function createCadastroDeConveniosService({ w, provedor, relogio }: ConveniosDeps) {
  function exigirCerto(row: ConvenioRow): void {
    const faltas = conferirConvenio(convenioDoBanco(row, beneficiarioDe(provedor, row)));
    if (faltas.length === 0) return;
    throw new CamposInvalidos(
      faltas.map(({ campo, motivo }) => ({
        campo: CAMPO_DE[campo] ?? campo,
        codigo: 'parametro_invalido',
        mensagem: motivo,
      })),
    );
  }

  async function avancar(row: ConvenioRow, proximoNumero: number | undefined): Promise<void> {
    if (proximoNumero === undefined) return;
    const convenio = convenioDoBanco(row, beneficiarioDe(provedor, row));
    const ano = Number(hojeEm(provedor.fusoHorario, relogio.agora()).slice(0, 4));
    await avancarSequencia(w, { id: row.id, convenio, ano, proxima: proximoNumero });
  }

  /** From now on new invoices of the account are this agreement's to register; those of before stay with theirs. */
  async function emitir(row: ConvenioRow): Promise<boolean> {
    if (row.emite === 1) return false;
    exigirCerto(row);
    await exigirCobrador(w, row.cobrador_id);
    await w.update('convenios_bancarios', (q) => void q.where({ cobrador_id: row.cobrador_id, emite: 1 }), {
      emite: 0,
    });
    await w.update('convenios_bancarios', (q) => void q.where({ id: row.id }), { emite: 1 });
    w.touch(PROVEDOR_TAG);
    w.emit('convenio.alterado', row.id, { campos: ['emite'] });
    return true;
  }

  return {
    /**
     * Registers an agreement, which issues nothing yet.
     *
     * @param dados by {@link CAMPOS_DO_CONVENIO}
     * @throws CamposInvalidos, also of what its bank would not take; Recusa `cobrador_indisponivel`
     */
    async criar(dados: unknown): Promise<number> {
      const { proximo_numero: proximoNumero, ajustes, ...lidos } = lerCampos(CAMPOS_DO_CONVENIO, dados);
      await exigirCobrador(w, lidos.cobrador_id);
      const { regras } = provedor;
      const colunas = {
        // What the bank collects late is what the invoice asks for.
        juros_ao_mes: regras.jurosMensalPercentual,
        multa: regras.multaPercentual,
        ...definidos(lidos),
        formato: formatoDoBanco(lidos.banco),
        ajustes: ajustes === undefined ? null : JSON.stringify(ajustes),
      };
      const id = await w.insert('convenios_bancarios', colunas);
      const row = await travarConvenio(w, id);
      exigirCerto(row);
      await avancar(row, proximoNumero);
      w.touch(PROVEDOR_TAG);
      w.emit('convenio.criado', id, { banco: row.banco });
      return id;
    },

    /** @returns the names of what is not as it was. @throws CamposInvalidos; Recusa `nao_encontrado`, `numero_ja_usado`, `versao_divergente` */
    async alterar(id: number, dados: unknown, { versao }: DaVersao = {}): Promise<string[]> {
      const { proximo_numero: proximoNumero, ajustes, ...lidos } = lerAlteracao(CAMPOS_DA_ALTERACAO, dados);
      const antes = await travarConvenio(w, id);
      conferirLidos(versao, camposDoConvenio(antes));
      const { proximo_nsa: nsa } = lidos;
      if (nsa !== undefined && nsa < antes.proximo_nsa) throw new Recusa('numero_ja_usado', { campo: 'proximo_nsa' });
      const colunas = {
        ...definidos(lidos),
        ...(ajustes === undefined ? {} : { ajustes: JSON.stringify(ajustes) }),
      };
      if (Object.keys(colunas).length > 0) {
        await w.update('convenios_bancarios', (q) => void q.where({ id }), colunas);
      }
      const row = await travarConvenio(w, id);
      exigirCerto(row);
      await avancar(row, proximoNumero);
      const campos = [
        ...CAMPOS.filter((campo) => JSON.stringify(antes[campo]) !== JSON.stringify(row[campo])),
        ...(proximoNumero === undefined ? [] : ['proximo_numero']),
      ];
      if (campos.length === 0) return [];
      w.touch(PROVEDOR_TAG);
      w.emit('convenio.alterado', id, { campos });
      return campos;
    },

    /** @returns whether it did not issue before. @throws Recusa `nao_encontrado`, `cobrador_indisponivel`; CamposInvalidos */
    async ativar(id: number): Promise<boolean> {
      return emitir(await travarConvenio(w, id));
    },

    /** New invoices are registered by it no more; what it has issued goes on. @returns whether it issued. @throws Recusa `nao_encontrado` */
    async desativar(id: number): Promise<boolean> {
      const row = await travarConvenio(w, id);
      if (row.emite === 0) return false;
      await w.update('convenios_bancarios', (q) => void q.where({ id }), { emite: 0 });
      // Nobody would register them: they are invoices without a boleto again.
      const semDono = { boleto_situacao: 'a_registrar', cobrador_id: row.cobrador_id };
      await w.update('faturas', (q) => void q.where(semDono), { boleto_situacao: null });
      w.touch(...TAGS_DE_TUDO);
      w.emit('convenio.desativado', id);
      return true;
    },
  };
}

const definidos = (lidos: object): object =>
  Object.fromEntries(Object.entries(lidos).filter(([, valor]) => valor !== undefined));
