import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb, sameTenant } from '../../../platform/mysql/tenant.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import type { Write } from '../../escrita.ts';
import { gravarAcessos } from '../../rede/acesso/acesso.service.ts';
import { pedirRede } from '../../rede/pedir.ts';
import { lugarDaSenha } from '../arquivo/arquivo.queries.ts';
import { somarContagens, travarImportacao } from '../importacoes.queries.ts';
import type { Importacao } from '../importacoes.types.ts';
import type { Leitor } from '../lotes/lote.types.ts';
import type { Andamento } from './andamento.types.ts';
import { LINHAS_DO_LOTE } from './leitura-do-arquivo.ts';

interface AAplicarRow {
  linha: number;
  contrato_id: number;
  contrato_de_origem: number | null;
}

const A_APLICAR = columns<AAplicarRow>('importacao_linhas', {
  linha: true,
  contrato_id: true,
  contrato_de_origem: true,
});

interface ContratoRow {
  id: number;
  situacao: SituacaoContrato;
  login: string | null;
  tipo_conexao: string;
}

const CONTRATO = columns<ContratoRow>('contratos', {
  id: true,
  situacao: true,
  login: true,
  tipo_conexao: true,
});
const SENHA = columns<{ contrato_id: number; senha: Buffer }>('importacao_senhas', { contrato_id: true, senha: true });
const PREVISTO = expressions<{ situacao: SituacaoContrato; quantos: number; senhas: number }>({
  situacao: 'contratos.situacao',
  quantos: 'COUNT(*)',
  senhas: 'COUNT(importacao_senhas.contrato_id)',
});

const QUANTOS = expressions<{ quantos: number }>({ quantos: 'COUNT(*)' });
const ID_DO_CONTRATO = columns<{ id: number }>('contratos', { id: true });

/** A password stays with the contract that its line made, whoever holds the login since. By equality, which the primary key answers. */
const DA_SENHA = `LEFT JOIN importacao_senhas
  ON importacao_senhas.provedor_id = importacao_linhas.provedor_id
 AND importacao_senhas.contrato_id = COALESCE(importacao_linhas.contrato_de_origem, importacao_linhas.contrato_id)`;

/** What applying an import to the network would do, by now. */
export interface PrevistoNaRede {
  readonly ativos: number;
  readonly bloqueados: number;
  /** Of those, with a password of the file. */
  readonly senhas: number;
  /** Active ones by a login that no password is known of, here or to FreeRADIUS: nobody gets in by them. IPoE needs none. */
  readonly semSenha: number;
  /** The first of these contracts. */
  readonly semSenhaIds: readonly number[];
  /** With a password of the file by a login that FreeRADIUS has a password of: that one is replaced, and nobody here knows whose it was. */
  readonly jaNoRadius: number;
  /** The first of these contracts. */
  readonly jaNoRadiusIds: readonly number[];
}

/** Lines whose contract the network has not been told of. */
const daImportacao = (leitor: Leitor, id: number) =>
  leitor
    .from('importacao_linhas')
    .where('importacao_linhas.importacao_id', id)
    .where('importacao_linhas.situacao', 'gravada');

const MAIS_IDS = 20;

/** With its own LIMIT the server seeks each login, and does not gather first all that FreeRADIUS has. */
const NO_RADIUS =
  "(SELECT 1 FROM radcheck r WHERE r.username = contratos.login AND r.attribute LIKE '%-Password' LIMIT 1) IS NOT NULL";

export async function previstoNaRede(leitor: Leitor, importacaoId: number): Promise<PrevistoNaRede> {
  const linhas = daImportacao(leitor, importacaoId)
    .whereNull('rede_em')
    .join('contratos', sameTenant('importacao_linhas', 'contrato_id', 'contratos', 'id'))
    .joinRaw(DA_SENHA)
    .whereNotNull('contratos.login')
    .whereNotIn('contratos.situacao', SITUACOES_DE_CANCELADO)
    .groupBy('contratos.situacao');
  const rows = await rowsOf(linhas, PREVISTO);
  const comSenhaOuSem = () =>
    daImportacao(leitor, importacaoId)
      .whereNull('rede_em')
      .join('contratos', sameTenant('importacao_linhas', 'contrato_id', 'contratos', 'id'))
      .joinRaw(DA_SENHA)
      .where('contratos.login', '<>', '');
  const semSenha = () =>
    comSenhaOuSem()
      .whereNull('importacao_senhas.contrato_id')
      .where('contratos.situacao', 'ativo')
      .where('contratos.tipo_conexao', '<>', 'ipoe')
      .whereRaw(`NOT (${NO_RADIUS})`);
  const jaNoRadius = () =>
    comSenhaOuSem()
      .whereNotNull('importacao_senhas.contrato_id')
      .whereNotIn('contratos.situacao', SITUACOES_DE_CANCELADO)
      .whereRaw(NO_RADIUS);
  const contar = async (quais: typeof semSenha) => {
    const [contados] = await rowsOf(quais(), QUANTOS);
    const primeiros = await rowsOf(quais().orderBy('contratos.id').limit(MAIS_IDS), ID_DO_CONTRATO);
    return { quantos: contados?.quantos ?? 0, ids: primeiros.map(({ id }) => id) };
  };
  const [sem, ja] = [await contar(semSenha), await contar(jaNoRadius)];
  const soma = (quais: (situacao: SituacaoContrato) => boolean): number =>
    rows.filter(({ situacao }) => quais(situacao)).reduce((total, { quantos }) => total + quantos, 0);
  return {
    ativos: soma((situacao) => situacao === 'ativo'),
    bloqueados: soma((situacao) => situacao !== 'ativo'),
    senhas: rows.reduce((total, { senhas }) => total + senhas, 0),
    semSenha: sem.quantos,
    semSenhaIds: sem.ids,
    jaNoRadius: ja.quantos,
    jaNoRadiusIds: ja.ids,
  };
}

/**
 * Hands imported logins to the network as they are by now: the password and, in the same transaction, the group of the
 * refused, for a debtor's login that can be used for a moment is one that is used. Resolves to the lines that this run
 * came to.
 */
export async function aplicarRede(importacao: Importacao, andamento: Andamento): Promise<number> {
  const { db, write, actor, provedor, relogio } = andamento;
  const tenant = createTenantDb(db, provedor.id);
  const { id } = importacao;
  let { proximaLinha } = importacao;
  let feitas = 0;
  for (;;) {
    const proximas = daImportacao(tenant, id)
      .where('linha', '>=', proximaLinha)
      .whereNotNull('contrato_id')
      .whereNull('rede_em');
    const linhas = await rowsOf(proximas.orderBy('linha').limit(LINHAS_DO_LOTE), A_APLICAR);
    const depois = (linhas.at(-1)?.linha ?? proximaLinha) + 1;
    const esperada = proximaLinha;
    const seguiu = await write(actor, provedor.id, async (w) => {
      const atual = await travarImportacao(w, id);
      if (atual?.acao !== 'aplicar_rede' || atual.proximaLinha !== esperada) return false;
      if (linhas.length === 0) {
        const fim = { acao: null, terminada_em: toDatabaseTime(relogio.agora()), proxima_linha: 0 };
        await w.update('importacoes', (q) => void q.where({ id }), fim);
        return false;
      }
      const acessos = await aplicarLote(w, linhas, id, andamento);
      await w.update('importacoes', (q) => void q.where({ id }), {
        proxima_linha: depois,
        contagens: JSON.stringify(somarContagens(atual.contagens, { acessos })),
      });
      w.emit('importacao.rede_aplicada', id, { de: linhas[0]?.linha ?? 0, ate: depois - 1, acessos });
      return true;
    });
    if (!seguiu) return feitas;
    proximaLinha = depois;
    feitas += linhas.length;
    await andamento.avancou(importacao, feitas);
  }
}

async function aplicarLote(
  w: Write,
  linhas: readonly AAplicarRow[],
  importacaoId: number,
  { segredos, relogio }: Andamento,
): Promise<number> {
  const agora = relogio.agora();
  const ids = linhas.map(({ contrato_id: contrato }) => contrato);
  const deOrigem = linhas.map((linha) => linha.contrato_de_origem ?? linha.contrato_id);
  const contratoDe = new Map(linhas.map((linha, n) => [deOrigem[n], linha.contrato_id]));
  const contratos = await rowsOf(w.from('contratos').whereIn('id', ids).orderBy('id').forUpdate(), CONTRATO);
  const vivos = contratos.flatMap(({ login, ...contrato }) =>
    login === null || login === '' || SITUACOES_DE_CANCELADO.includes(contrato.situacao)
      ? []
      : [{ ...contrato, login }],
  );
  const guardadas = await rowsOf(w.from('importacao_senhas').whereIn('contrato_id', deOrigem), SENHA);
  const senhas = new Map(
    guardadas.map(({ contrato_id: contrato, senha }) => [
      contratoDe.get(contrato) ?? contrato,
      segredos.open(lugarDaSenha(w.provedorId, contrato), senha).toString(),
    ]),
  );
  // Of a login without a password in the file, what the network has of it stays.
  await gravarAcessos(
    w,
    vivos.map(({ id, login, situacao, tipo_conexao: tipoConexao }) => ({
      login,
      tipoConexao,
      senha: senhas.get(id) ?? null,
      recusar: situacao !== 'ativo',
    })),
  );
  // Applied again, it asks for nothing new: nobody who is as he should be loses his session for it.
  await pedirRede(w, vivos, agora, 'se_mudar');
  await w.delete('importacao_senhas', (q) => void q.whereIn('contrato_id', deOrigem));
  const numeros = linhas.map(({ linha }) => linha);
  await w.update('importacao_linhas', (q) => void q.where({ importacao_id: importacaoId }).whereIn('linha', numeros), {
    rede_em: toDatabaseTime(agora),
  });
  return vivos.length;
}
