import { createHash } from 'node:crypto';
import { groupBy } from '../../../platform/group-by.ts';
import { darSenhasImportadas } from '../../acessos/entrada/senhas-importadas.service.ts';
import type { SituacaoCliente } from '../../clientes/clientes.types.ts';
import { acompanharContratos } from '../../clientes/situacao.service.ts';
import type { Write } from '../../escrita.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, PROVEDOR_TAG, clienteTag, contratoTag } from '../../tags.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import { lerCliente } from '../linhas/clientes.leitura.ts';
import type { ClienteLido } from '../linhas/clientes.leitura.ts';
import {
  anotar,
  criarPlanos,
  desbloquear,
  guardarSenhas,
  inserirClientes,
  linhaDoContrato,
  reviver,
  situacaoDoCliente,
} from './clientes.gravar.ts';
import type { Nova } from './clientes.gravar.ts';
import { julgarClientes } from './clientes.julgar.ts';
import type { ClienteNovo } from './clientes.julgar.ts';
import { temDesbloqueio } from './desbloqueio.regras.ts';
import { clientesDaImportacao, idsPorCodigo } from './lote.queries.ts';
import { resumoDoLogin } from './origem.queries.ts';
import type { Assunto, Feita } from './lote.types.ts';

/** Clients with their contracts: a line is a contract, and its client where there is none yet. */
export const clientes: Assunto<ClienteLido, ClienteNovo> = {
  ler: lerCliente,

  marcar(marcas, { codigo, codigoCliente, clienteComCodigo, cliente, contrato: { login } }, registro) {
    const antes = marcas.marcar(`codigo:${codigo}`, registro.linha);
    // A contract's code, too, where it is its client's: one code is not of two, whichever lot they are in.
    const doCodigo = marcas.marcar(`cliente:${codigoCliente}`, registro.linha);
    const doPar = marcas.marcar(`cliente:${codigoCliente}:${cliente.cpf_cnpj}`, registro.linha);
    if (doCodigo !== null && doPar === null && (clienteComCodigo || antes === null)) {
      const campo = clienteComCodigo ? 'codigo_cliente' : 'codigo';
      registro.errar(campo, `a linha ${doCodigo} o dá a outro CPF ou CNPJ`);
    }
    if (antes !== null) registro.errar('codigo', `repete a linha ${antes}`);
    if (typeof login !== 'string') return;
    const comLogin = marcas.marcar(`login:${emPalavra(login)}`, registro.linha);
    if (comLogin !== null && antes === null) registro.errar('login', `a linha ${comLogin} tem o mesmo`);
  },

  julgar: julgarClientes,

  prever(novas, simulado) {
    const primeiras = novas.filter(({ lido, clienteId, linha }) => {
      const doCodigo = simulado.marcar(`cliente:${lido.codigoCliente}`, linha);
      if (clienteId !== null || doCodigo !== null) return false;
      if (ehCancelado(lido)) return true;
      return simulado.marcar(`documento:${lido.cliente.cpf_cnpj}`, linha) === null;
    });
    const planos = novas.filter(
      ({ plano, linha }) => plano.id === null && simulado.marcar(`plano:${emPalavra(plano.nome)}`, linha) === null,
    );
    return {
      ...contar(novas),
      clientes: primeiras.length,
      telefones: contarTelefones(primeiras),
      planos: planos.length,
    };
  },

  async gravar(w, novas, gravacao) {
    const { marca, agora } = gravacao;
    const planos = await criarPlanos(w, novas);
    const { donos, criados } = reunir(novas);
    const linhasDe = groupBy(donos, ([, dono]) => dono);
    const situacaoDe = (dono: Nova): SituacaoCliente =>
      situacaoDoCliente((linhasDe.get(dono) ?? []).map(([{ lido }]) => lido));
    const idDoCliente = await inserirClientes(w, criados, situacaoDe, marca);
    const clienteDe = (nova: Nova): number =>
      nova.clienteId ?? idDoCliente.get(donos.get(nova)?.lido.codigoCliente ?? '') ?? 0;
    const planoDe = ({ plano }: Nova): number => plano.id ?? planos.ids.get(emPalavra(plano.nome)) ?? 0;

    const contratos = novas.map((nova) => linhaDoContrato(nova, clienteDe(nova), planoDe(nova), marca));
    if (contratos.length > 0) await w.insert('contratos', contratos, { soughtBefore: true });
    const codigos = novas.map(({ lido }) => lido.codigo);
    const idDoContrato = await idsPorCodigo(w, 'contratos', codigos);
    const contratoDe = ({ lido }: Nova): number => idDoContrato.get(lido.codigo) ?? 0;
    await anotar(w, novas.map(contratoDe), agora);
    const desbloqueios = await desbloquear(w, novas, contratoDe, gravacao);
    await guardarSenhas(w, novas, contratoDe, gravacao);
    const gravados = new Set(novas.map(({ lido }) => lido.cliente.cpf_cnpj));
    const senhas = [...gravacao.senhasDoApp].filter(([documento]) => gravados.has(documento));
    await darSenhasImportadas(w, new Map(senhas), agora);
    await reviver(w, novas, gravacao.avisar);
    await acompanharContratos(w, [...new Set(novas.flatMap(({ clienteId }) => clienteId ?? []))], {
      quais: async (ids) => clientesDaImportacao(w, gravacao.importacaoId, ids),
      avisar: gravacao.avisar,
    });

    w.touch(CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG, ...(planos.linhas.size > 0 ? [PROVEDOR_TAG] : []));
    w.touch(...novas.flatMap((nova) => [contratoTag(contratoDe(nova)), clienteTag(clienteDe(nova))]));
    if (gravacao.avisar) avisarDe(w, novas, criados, { clienteDe, contratoDe, planoDe, situacaoDe });

    const criadas = new Set(criados);
    const feitas = novas.map((nova): Feita => ({
      linha: nova.linha,
      resumo: nova.resumo,
      plano_id: planos.linhas.has(nova.linha) ? planoDe(nova) : null,
      cliente_id: clienteDe(nova),
      cliente_novo: criadas.has(nova),
      contrato_id: contratoDe(nova),
      login_de_origem: nova.lido.loginDeOrigem === null ? null : resumoDoLogin(nova.lido.loginDeOrigem),
      impressao: criadas.has(nova) ? impressaoDosTelefones(nova.lido.cliente.telefones ?? []) : null,
    }));
    const contagens = {
      ...contar(novas),
      clientes: criados.length,
      telefones: contarTelefones(criados),
      planos: planos.linhas.size,
      desbloqueios,
    };
    return { feitas, contagens };
  },
};

/** Sixteen bytes of a client's phones, which do not say when they changed. */
export function impressaoDosTelefones(numeros: readonly string[]): Buffer {
  return createHash('sha256').update(numeros.toSorted().join()).digest().subarray(0, 16);
}

const ehCancelado = ({ situacao }: ClienteLido): boolean => situacao.situacao === 'cancelado';

const contar = (novas: readonly Nova[]) => ({
  contratos: novas.length,
  senhas: novas.filter(({ lido }) => typeof lido.contrato.senha === 'string').length,
  desbloqueios: novas.filter(({ lido }) => temDesbloqueio(lido)).length,
});

const contarTelefones = (novas: readonly Nova[]): number =>
  novas.reduce((soma, { lido }) => soma + (lido.cliente.telefones?.length ?? 0), 0);

/** Which line makes the client of each, among those whose client there is not yet. */
function reunir(novas: readonly Nova[]): { donos: Map<Nova, Nova>; criados: Nova[] } {
  const donos = new Map<Nova, Nova>();
  const criados: Nova[] = [];
  const porCodigo = new Map<string, Nova>();
  const porDocumento = new Map<string, Nova>();
  for (const nova of novas.filter(({ clienteId }) => clienteId === null)) {
    const { codigoCliente, cliente } = nova.lido;
    const dono = porCodigo.get(codigoCliente) ?? porDocumento.get(cliente.cpf_cnpj) ?? nova;
    donos.set(nova, dono);
    if (dono !== nova) continue;
    criados.push(nova);
    porCodigo.set(codigoCliente, nova);
    // A cancelled registration stands beside a new one of the same person.
    if (!ehCancelado(nova.lido)) porDocumento.set(cliente.cpf_cnpj, nova);
  }
  return { donos, criados };
}

interface Ditos {
  readonly clienteDe: (nova: Nova) => number;
  readonly contratoDe: (nova: Nova) => number;
  readonly planoDe: (nova: Nova) => number;
  readonly situacaoDe: (criada: Nova) => SituacaoCliente;
}

function avisarDe(
  w: Write,
  novas: readonly Nova[],
  criados: readonly Nova[],
  { clienteDe, contratoDe, planoDe, situacaoDe }: Ditos,
): void {
  const criadas = new Set(criados);
  for (const nova of novas) {
    const cliente = clienteDe(nova);
    const { situacao } = nova.lido.situacao;
    if (criadas.has(nova)) {
      w.emit('cliente.criado', cliente, { cliente, situacao: situacaoDe(nova), origem: 'importacao' });
    }
    w.emit('contrato.criado', contratoDe(nova), { cliente, plano: planoDe(nova), situacao });
  }
}
