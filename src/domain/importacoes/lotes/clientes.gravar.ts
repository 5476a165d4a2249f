import type { SituacaoCliente } from '../../clientes/clientes.types.ts';
import { diasEntre, fimDoDiaEm, hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { inserirPalavras } from '../../clientes/palavras/palavras.service.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { lugarDaSenha } from '../arquivo/arquivo.queries.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import { tipoDe } from '../linhas/clientes.leitura.ts';
import type { ClienteLido } from '../linhas/clientes.leitura.ts';
import type { ClienteNovo } from './clientes.julgar.ts';
import { MAIOR_DESBLOQUEIO_DIAS, temDesbloqueio } from './desbloqueio.regras.ts';
import { idsPorCodigo } from './lote.queries.ts';
import type { Gravacao, Julgamento } from './lote.types.ts';

/** A contract that is about to be written. */
export type Nova = Julgamento<ClienteNovo>['novas'][number];

/** What the history says of a contract that came in; an undo deletes no contract of which it says more. */
export const ACAO_DA_IMPORTACAO = 'importado';

/** Makes the plans that there are not yet; resolves to their ids by name, and to the lines that made them. */
export async function criarPlanos(w: Write, novas: readonly Nova[]) {
  const porNome = new Map<string, Nova>();
  for (const nova of novas) {
    if (nova.plano.id !== null) continue;
    const nome = emPalavra(nova.plano.nome);
    if (!porNome.has(nome)) porNome.set(nome, nova);
  }
  if (porNome.size === 0) return { ids: new Map<string, number>(), linhas: new Set<number>() };
  const feitos = [...porNome].flatMap(([palavra, { plano, resumo }]) =>
    plano.id === null ? [{ palavra, plano, codigo: `linha:plano:${resumo.toString('hex')}` }] : [],
  );
  await w.insert(
    'planos',
    feitos.map(({ plano, codigo }) => ({
      nome: plano.nome,
      download_mbps: plano.mbps,
      upload_mbps: plano.mbps,
      valor: escreverDinheiro(plano.valor),
      codigo_externo: codigo,
    })),
    { soughtBefore: true },
  );
  const ids = await idsPorCodigo(
    w,
    'planos',
    feitos.map(({ codigo }) => codigo),
  );
  return {
    ids: new Map(feitos.map(({ palavra, codigo }) => [palavra, ids.get(codigo) ?? 0])),
    linhas: new Set([...porNome.values()].map(({ linha }) => linha)),
  };
}

/** Inserts clients with their phones; resolves to their ids by code. */
export async function inserirClientes(
  w: Write,
  criados: readonly Nova[],
  situacaoDe: (nova: Nova) => SituacaoCliente,
  marca: string,
): Promise<Map<string, number>> {
  if (criados.length === 0) return new Map();
  const linhas = criados
    .map((nova) => ({ ...nova.lido, situacao: situacaoDe(nova) }))
    .map(({ cliente, codigoCliente, situacao }) => ({
      nome: cliente.nome,
      nome_fantasia: cliente.nome_fantasia ?? null,
      tipo: tipoDe(cliente.cpf_cnpj),
      cpf_cnpj: cliente.cpf_cnpj,
      email: cliente.email ?? null,
      situacao,
      data_nascimento: cliente.data_nascimento ?? null,
      ...colunasDoEndereco(cliente.endereco),
      codigo_externo: codigoCliente,
      criado_em: marca,
      atualizado_em: marca,
    }));
  await w.insert('clientes', linhas, { soughtBefore: true });
  const ids = await idsPorCodigo(
    w,
    'clientes',
    criados.map(({ lido }) => lido.codigoCliente),
  );
  const telefones = criados.flatMap(({ lido: { cliente, codigoCliente } }) =>
    (cliente.telefones ?? []).map((numero) => ({ cliente_id: ids.get(codigoCliente), numero })),
  );
  if (telefones.length > 0) await w.insert('clientes_telefones', telefones);
  await inserirPalavras(
    w,
    criados.flatMap(({ lido: { cliente, codigoCliente } }) => {
      const id = ids.get(codigoCliente);
      return id === undefined ? [] : [{ id, nome: cliente.nome, nomeFantasia: cliente.nome_fantasia ?? null }];
    }),
  );
  return ids;
}

/** By all its lines of a lot: over only where all are, and blocked only where all that are not over are. */
export function situacaoDoCliente(linhas: readonly ClienteLido[]): SituacaoCliente {
  const vigentes = linhas.filter(({ situacao }) => situacao.situacao !== 'cancelado');
  if (vigentes.length === 0) return 'cancelado';
  if (vigentes.some(({ observacao }) => observacao)) return 'observacao';
  const todos = (qual: string): boolean => vigentes.every(({ situacao }) => situacao.situacao === qual);
  if (todos('bloqueado')) return 'bloqueado';
  return todos('inativo') ? 'inativo' : 'ativo';
}

/**
 * Clients that this import made over, or inactive, in a lot before: a line that is neither says that they are not. Their rows are of the
 * time that they were, for an undo asks by it whether anybody has touched them.
 */
export async function reviver(w: Write, novas: readonly Nova[], avisar: boolean): Promise<void> {
  const deles = groupBy(
    novas.filter(({ revive }) => revive),
    ({ clienteId }) => clienteId ?? 0,
  );
  const porSituacao = groupBy(deles, ([, linhas]) => situacaoDoCliente(linhas.map(({ lido }) => lido)));
  for (const [situacao, quais] of porSituacao) {
    const ids = quais.map(([id]) => id).toSorted((a, b) => a - b);
    const atualizado_em = w.tenant.db.raw('atualizado_em');
    await w.update('clientes', (q) => void q.whereIn('id', ids), { situacao, atualizado_em });
    if (avisar) for (const id of ids) w.emit('cliente.atualizado', id, { cliente: id, campos: ['situacao'] });
  }
}

/** A contract as it is stored; of when it came into its state nobody says, so it is now. */
export function linhaDoContrato({ lido, plano, cobradorId }: Nova, clienteId: number, planoId: number, marca: string) {
  const { contrato, cliente, situacao, codigo } = lido;
  const de = (estado: typeof situacao.situacao): string | null => (situacao.situacao === estado ? marca : null);
  return {
    cliente_id: clienteId,
    plano_id: planoId,
    situacao: situacao.situacao,
    tipo_conexao: contrato.tipo_conexao ?? 'pppoe',
    login: contrato.login ?? null,
    mac: contrato.mac ?? null,
    ip: contrato.ip ?? null,
    ipv6_prefixo: contrato.ipv6_prefixo ?? null,
    tipo_cobranca: contrato.tipo_cobranca ?? 'pos_pago',
    cobrador_id: cobradorId,
    dia_vencimento: contrato.dia_vencimento,
    valor: escreverDinheiro(contrato.valor ?? plano.valor),
    ativado_em: contrato.ativado_em ?? null,
    bloqueado_em: de('bloqueado'),
    bloqueio_origem: situacao.origem,
    suspenso_em: de('inativo'),
    cancelado_em: de('cancelado'),
    ...colunasDoEndereco(contrato.endereco_instalacao ?? cliente.endereco),
    codigo_externo: codigo,
    criado_em: marca,
    atualizado_em: marca,
  };
}

function colunasDoEndereco(endereco: ClienteLido['cliente']['endereco']) {
  return {
    cep: endereco?.cep ?? null,
    logradouro: endereco?.logradouro ?? null,
    numero: endereco?.numero ?? null,
    complemento: endereco?.complemento ?? null,
    bairro: endereco?.bairro ?? null,
    cidade: endereco?.cidade ?? null,
    uf: endereco?.uf ?? null,
  };
}

/** Notes in the history of contracts that they came in. */
export async function anotar(w: Write, contratos: readonly number[], agora: Date): Promise<void> {
  if (contratos.length === 0) return;
  const ocorrido_em = toDatabaseTime(agora);
  const descricao = 'Importado de outro sistema.';
  await w.insert(
    'contratos_historico',
    contratos.map((id) => ({
      contrato_id: id,
      acao: ACAO_DA_IMPORTACAO,
      descricao,
      autor: w.author.name,
      ocorrido_em,
    })),
  );
}

/** Writes trust unblocks that are under way. One whose time is over by now is ended by the job that ends them all. Resolves to how many. */
export async function desbloquear(
  w: Write,
  novas: readonly Nova[],
  contratoDe: (nova: Nova) => number,
  { provedor: { fusoHorario }, agora }: Gravacao,
): Promise<number> {
  const hoje = hojeEm(fusoHorario, agora);
  const linhas = novas
    .filter(({ lido }) => temDesbloqueio(lido))
    .map((nova) => {
      const ate = nova.lido.contrato.desbloqueio_ate as Data;
      return {
        contrato_id: contratoDe(nova),
        dias: Math.max(0, Math.min(MAIOR_DESBLOQUEIO_DIAS, diasEntre(hoje, ate))),
        motivo: 'Importado de outro sistema.',
        aplicado_em: toDatabaseTime(agora),
        ate: toDatabaseTime(fimDoDiaEm(fusoHorario, ate)),
      };
    });
  if (linhas.length > 0) await w.insert('desbloqueios_confianca', linhas);
  return linhas.length;
}

/** Keeps passwords, encrypted, until they are applied to the network. */
export async function guardarSenhas(
  w: Write,
  novas: readonly Nova[],
  contratoDe: (nova: Nova) => number,
  { segredos, agora }: Gravacao,
): Promise<void> {
  const criado_em = toDatabaseTime(agora);
  const linhas = novas.flatMap((nova) => {
    const { senha } = nova.lido.contrato;
    if (typeof senha !== 'string') return [];
    const contrato_id = contratoDe(nova);
    return [
      { contrato_id, senha: segredos.seal(lugarDaSenha(w.provedorId, contrato_id), Buffer.from(senha)), criado_em },
    ];
  });
  if (linhas.length > 0) await w.insert('importacao_senhas', linhas);
}
