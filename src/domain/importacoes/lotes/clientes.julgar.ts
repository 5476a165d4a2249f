import { diasEntre, hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { RECUSAS } from '../../erros.ts';
import { loginsComRealm, simples } from '../../rede/acesso/acesso.regras.ts';
import { loginsEmUso, reservarLogins } from '../../rede/acesso/acesso.service.ts';
import { emPalavra, velocidadeNoNome } from '../formatos/valores.regras.ts';
import type { Erro, Mapa } from '../importacoes.types.ts';
import type { ClienteLido } from '../linhas/clientes.leitura.ts';
import { MAIOR_DESBLOQUEIO_DIAS, temDesbloqueio } from './desbloqueio.regras.ts';
import { escolherCobradores } from './cobradores.queries.ts';
import { clientesDaImportacao, clientesPor, contratosPor, planosDoProvedor } from './lote.queries.ts';
import type { ClienteAchado, PlanoAchado } from './lote.queries.ts';
import type { Juizo, Julgamento, Leitor, Lida, Recusada } from './lote.types.ts';
import { diferencasDoContrato } from '../linhas/diferencas.ts';

/** A plan that there is, or one to be made. */
type PlanoDaLinha =
  | { readonly id: number; readonly valor: Centavos }
  | { readonly id: null; readonly nome: string; readonly mbps: number; readonly valor: Centavos };

/** A contract that will come in, with what was found for it. */
export interface ClienteNovo {
  readonly lido: ClienteLido;
  readonly plano: PlanoDaLinha;
  /** Whose the contract will be; null where the line, or one before it in the lot, makes the client. */
  readonly clienteId: number | null;
  /** Whether the client, whom this import made, is over no more by this line. */
  readonly revive: boolean;
  readonly cobradorId: number | null;
}

type Julgadas = Julgamento<ClienteNovo>;

/** Judges lines beside what is there; one after the other, since a line may be of a client that one before it makes. */
export async function julgarClientes(
  leitor: Leitor,
  lidas: readonly Lida<ClienteLido>[],
  juizo: Juizo,
): Promise<Julgadas> {
  const { db, provedor, contexto, w } = juizo;
  const travar = w !== null;
  const valores = lidas.map(({ valor }) => valor);
  const porDocumento = await clientesPor(
    leitor,
    'cpf_cnpj',
    valores.map(({ cliente }) => cliente.cpf_cnpj),
    travar,
  );
  const porCodigo = await clientesPor(
    leitor,
    'codigo_externo',
    valores.map(({ codigoCliente }) => codigoCliente),
    travar,
  );
  const contratos = await contratosPor(
    leitor,
    'codigo_externo',
    valores.map(({ codigo }) => codigo),
  );
  const logins = valores.flatMap(({ contrato }) => contrato.login ?? []);
  // Of whatever provider: FreeRADIUS knows a login by its name only. Whose it is stays unsaid.
  const emUso = w === null ? await loginsEmUso(db, logins) : await reservarLogins(w, logins);
  const { planoDe, semPar } = escolherPlanos(await planosDoProvedor(leitor), contexto.mapa);

  const cobradorDe = await escolherCobradores(leitor, contexto, travar);

  const jaTem = new Map(contratos.map((contrato) => [contrato.codigo_externo, contrato]));
  const clientes = criarIndice(porCodigo, porDocumento);
  const parados = [...porCodigo, ...porDocumento].filter(({ situacao }) => PARADOS.includes(situacao));
  const idsDosParados = [...new Set(parados.map(({ id }) => id))];
  const feitosAqui = new Set(await clientesDaImportacao(leitor, juizo.importacaoId, idsDosParados));
  const hoje = hojeEm(provedor.fusoHorario, juizo.agora);
  const julgadas = {
    novas: [] as Julgadas['novas'][number][],
    jaEstavam: [] as Julgadas['jaEstavam'][number][],
    recusadas: [] as Recusada[],
    planosSemPar: [] as string[],
  };
  for (const { linha, resumo, valor: lido } of lidas) {
    const ha = jaTem.get(lido.codigo);
    if (ha !== undefined) {
      julgadas.jaEstavam.push({ linha, resumo, difere: diferencasDoContrato(lido, ha) });
      continue;
    }
    const erros: Erro[] = [];
    const { login } = lido.contrato;
    if (typeof login === 'string' && emUso.has(simples(login))) {
      const mensagem = `${RECUSAS.login_em_uso}; um com domínio é só deste provedor, como ${loginsComRealm(login, provedor)[0]}`;
      erros.push({ coluna: null, campo: 'login', mensagem });
    }
    if (temDesbloqueio(lido) && diasEntre(hoje, lido.contrato.desbloqueio_ate as Data) > MAIOR_DESBLOQUEIO_DIAS) {
      const mensagem = `deve ser no máximo ${MAIOR_DESBLOQUEIO_DIAS} dias depois de hoje`;
      erros.push({ coluna: null, campo: 'desbloqueio_ate', mensagem });
    }
    const plano = planoDe(lido);
    julgadas.planosSemPar.push(...semPar(lido));
    if ('mensagem' in plano) erros.push({ coluna: null, campo: 'plano', mensagem: plano.mensagem });
    const cobrador = cobradorDe(lido.cobrador);
    if ('mensagem' in cobrador) erros.push({ coluna: null, ...cobrador });
    const achado = clientes.achar(lido);
    if (achado !== null && achado.cpf_cnpj !== lido.cliente.cpf_cnpj) {
      erros.push({ coluna: null, campo: 'codigo_cliente', mensagem: 'é de um cliente que tem outro CPF ou CNPJ' });
    } else if (achado !== null && achado.apagado_em !== null) {
      erros.push({ coluna: null, campo: 'codigo_cliente', mensagem: RECUSAS.cliente_apagado });
    } else if (achado?.situacao === 'pre_cadastro' && achado.codigo_externo !== lido.codigoCliente) {
      erros.push({ coluna: null, campo: 'cpf_cnpj', mensagem: RECUSAS.confirmacao_exigida });
    }
    const contrato = lido.situacao.situacao;
    const parado = achado !== null && PARADOS.includes(achado.situacao) && contrato !== 'cancelado';
    const revive = parado && achado.situacao !== contrato && feitosAqui.has(achado.id);
    if (parado && !revive && achado.situacao === 'cancelado') {
      erros.push({ coluna: null, campo: 'codigo_cliente', mensagem: RECUSAS.cliente_cancelado });
    }
    if (erros.length > 0 || 'mensagem' in plano || 'mensagem' in cobrador) {
      julgadas.recusadas.push({ linha, resumo, erros });
      continue;
    }
    julgadas.novas.push({ linha, resumo, lido, plano, clienteId: achado?.id ?? null, revive, cobradorId: cobrador.id });
  }
  return julgadas;
}

/** States of a client that no contract of his changes once somebody has set them. */
const PARADOS: readonly string[] = ['cancelado', 'inativo'];

/**
 * Whose a line is: by the other system's code, else by the tax id of a client who is not cancelled, the oldest first. Anybody can
 * register a stranger's tax id by an invite, so whoever has only registered comes last, however old.
 */
function criarIndice(porCodigo: readonly ClienteAchado[], porDocumento: readonly ClienteAchado[]) {
  const doCodigo = new Map(porCodigo.map((cliente) => [cliente.codigo_externo, cliente]));
  const pelaOrdem = porDocumento.toSorted(
    (a, b) => Number(a.situacao !== 'pre_cadastro') - Number(b.situacao !== 'pre_cadastro') || b.id - a.id,
  );
  const doDocumento = new Map(pelaOrdem.map((cliente) => [cliente.cpf_cnpj, cliente]));
  return {
    achar: ({ codigoCliente, cliente }: ClienteLido): ClienteAchado | null =>
      doCodigo.get(codigoCliente) ?? doDocumento.get(cliente.cpf_cnpj) ?? null,
  };
}

/** Which plan a line has, or why it has none. */
function escolherPlanos(planos: readonly PlanoAchado[], mapa: Mapa) {
  const porNome = new Map(planos.toReversed().map((plano) => [emPalavra(plano.nome), plano]));
  const porId = new Map(planos.map((plano) => [plano.id, plano]));
  const ditos = new Map(Object.entries(mapa.planos ?? {}).map(([nome, id]) => [emPalavra(nome), id]));
  const padrao = porId.get(mapa.plano_padrao ?? -1);
  const este = ({ id, valor }: PlanoAchado): PlanoDaLinha => ({ id, valor: lerDinheiro(valor) });

  const conhecido = (nome: string): PlanoAchado | undefined => {
    const palavra = emPalavra(nome);
    return porId.get(ditos.get(palavra) ?? -1) ?? porNome.get(palavra);
  };

  /** The name of the line's plan where somebody has yet to say which plan that is, also where another stands in for it. */
  function semPar({ contrato: { plano: nome } }: ClienteLido): string[] {
    return nome === undefined || nome === null || conhecido(nome) !== undefined ? [] : [nome];
  }

  function planoDe({ contrato }: ClienteLido): PlanoDaLinha | { readonly mensagem: string } {
    const { plano: nome, valor } = contrato;
    if (nome === undefined || nome === null) {
      return padrao === undefined ? { mensagem: 'é obrigatório, ou diga um plano padrão' } : este(padrao);
    }
    const achado = conhecido(nome) ?? padrao;
    if (achado !== undefined) return este(achado);
    if (mapa.criar_planos !== true) {
      return {
        mensagem: 'não há plano com este nome; cadastre-o, ponha-o no mapa, diga um plano padrão, ou mande criar',
      };
    }
    const mbps = velocidadeNoNome(nome);
    if (mbps === null)
      return { mensagem: 'não há plano com este nome, e ele não diz a velocidade; cadastre-o, ou ponha-o no mapa' };
    if (valor === undefined) return { mensagem: 'não há plano com este nome, e a linha não diz o valor para o criar' };
    return { id: null, nome, mbps, valor };
  }

  return { planoDe, semPar };
}
