import { RECUSAS } from '../../erros.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import type { Erro, Formato } from '../importacoes.types.ts';
import type { FaturaLida } from '../linhas/faturas.leitura.ts';
import type { Dono } from './faturas.gravar.ts';
import { clientesPor, contratosPor } from './lote.queries.ts';
import type { ClienteAchado, ContratoAchado } from './lote.queries.ts';
import type { Leitor } from './lote.types.ts';
import { contratosDaOrigem } from './origem.queries.ts';

const SO_PRE_CADASTRO = { campo: 'cpf_cnpj', mensagem: RECUSAS.confirmacao_exigida };
const DE_OUTRO = { campo: 'cpf_cnpj', mensagem: 'não é o do dono do contrato ou do código' };
const CODIGO_AMBIGUO = {
  campo: 'codigo_cliente',
  mensagem: 'é também o código de um contrato do cliente; diga o código do contrato, ou o CPF ou CNPJ',
};

type Achado = Dono | Omit<Erro, 'coluna'>;

/**
 * Whose invoices are: by the source's own codes; by a login only among contracts that came from the same source with it, cancelled ones
 * too, for by now another may have it; by a tax id.
 */
export async function acharDonos(
  leitor: Leitor,
  lidas: readonly FaturaLida[],
  { formato, travar }: { readonly formato: Formato; readonly travar: boolean },
): Promise<(lida: FaturaLida) => Achado> {
  const textos = (dizer: (lida: FaturaLida) => string | null | undefined): string[] =>
    lidas.flatMap((lida) => dizer(lida) ?? []);
  // Clients before their contracts, as all do who lock both.
  const codigos = textos(({ codigoCliente }) => codigoCliente);
  const clientesPorCodigo = await clientesPor(leitor, 'codigo_externo', codigos, travar);
  const documentos = textos(({ fatura }) => fatura.cpf_cnpj);
  const clientesPorDocumento = await clientesPor(leitor, 'cpf_cnpj', documentos, travar, { cancelados: true });
  const codigosDeContrato = textos(({ codigoContrato }) => codigoContrato);
  const contratosPorCodigo = await contratosPor(leitor, 'codigo_externo', codigosDeContrato);
  const logins = textos(({ fatura }) => fatura.login);
  const daOrigem = await contratosDaOrigem(leitor, formato, logins);
  // A file of our own columns means our own logins.
  const nossos = formato === 'malha' ? await contratosPor(leitor, 'login', logins) : [];

  const doContrato = ({ id, cliente_id, cobrador_id }: ContratoAchado): Dono => ({
    clienteId: cliente_id,
    contratoId: id,
    cobradorId: cobrador_id,
  });
  const doCliente = ({ id }: { id: number }): Dono => ({ clienteId: id, contratoId: null, cobradorId: null });
  const porCodigo = new Map(contratosPorCodigo.map((um) => [um.codigo_externo, doContrato(um)]));
  const porLogin = new Map(nossos.map((um) => [emPalavra(um.login ?? ''), doContrato(um)]));
  const clientePorCodigo = new Map(clientesPorCodigo.map((um) => [um.codigo_externo, doCliente(um)]));
  // The oldest who is not cancelled, else the oldest; one who has only registered may be anybody.
  const vez = ({ situacao }: ClienteAchado): number =>
    situacao === 'pre_cadastro' ? 0 : situacao === 'cancelado' ? 1 : 2;
  const pelaOrdem = clientesPorDocumento.toSorted((a, b) => vez(a) - vez(b) || b.id - a.id);
  const porDocumento = new Map(
    pelaOrdem.map((um): [string, Achado] => [
      um.cpf_cnpj,
      um.situacao === 'pre_cadastro' ? SO_PRE_CADASTRO : doCliente(um),
    ]),
  );
  const documentoDe = new Map(clientesPorDocumento.map(({ id, cpf_cnpj }) => [id, cpf_cnpj]));

  // A client without a code of its own has its contract's, and a title's client code may mean another client's own.
  const doContratoDele = new Set(
    (await contratosPor(leitor, 'codigo_externo', codigos)).map((um) => `${um.cliente_id} ${um.codigo_externo}`),
  );

  function peloCodigo({ codigoCliente, fatura }: FaturaLida): Achado | undefined {
    const dono = clientePorCodigo.get(codigoCliente ?? '');
    const ambiguo = dono !== undefined && doContratoDele.has(`${dono.clienteId} ${codigoCliente}`);
    return ambiguo && typeof fatura.cpf_cnpj !== 'string' ? CODIGO_AMBIGUO : dono;
  }

  function peloLogin({ codigoCliente, fatura }: FaturaLida): Achado | undefined {
    if (typeof fatura.login !== 'string') return undefined;
    const cliente = clientePorCodigo.get(codigoCliente ?? '')?.clienteId;
    const todos = daOrigem(fatura.login);
    const deles = todos.filter(
      ({ cliente_id: id }) =>
        (cliente === undefined || cliente === id) &&
        (typeof fatura.cpf_cnpj !== 'string' || documentoDe.get(id) === fatura.cpf_cnpj),
    );
    const [um, outro] = deles;
    if (outro !== undefined) {
      return { campo: 'login', mensagem: 'vários contratos o tiveram; diga o código do contrato ou do cliente' };
    }
    if (um !== undefined) return doContrato(um);
    return todos.length > 0 ? undefined : porLogin.get(emPalavra(fatura.login));
  }

  /** A code that another system gave twice, or that means something else there, is of somebody else than the line says. */
  const doMesmoDocumento = (dono: Achado, documento: string | null): Achado =>
    'mensagem' in dono || documento === null || documentoDe.get(dono.clienteId) === documento ? dono : DE_OUTRO;

  return (lida) => {
    const { codigoContrato, codigoCliente, fatura } = lida;
    // An invoice of a contract that did not come in is its client's all the same.
    const dono =
      porCodigo.get(codigoContrato ?? '') ??
      peloLogin(lida) ??
      peloCodigo(lida) ??
      porDocumento.get(fatura.cpf_cnpj ?? '');
    if (dono !== undefined) return doMesmoDocumento(dono, fatura.cpf_cnpj ?? null);
    if (codigoContrato !== null) return { campo: 'codigo_contrato', mensagem: 'não há contrato com este código' };
    if (typeof fatura.login === 'string') return { campo: 'login', mensagem: 'não há contrato com este login' };
    if (codigoCliente !== null) return { campo: 'codigo_cliente', mensagem: 'não há cliente com este código' };
    return { campo: 'cpf_cnpj', mensagem: 'não há cliente com este CPF ou CNPJ' };
  };
}
