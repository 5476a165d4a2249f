import { somarDias } from '../src/brazil/calendario/datas.ts';
import type { SituacaoCliente } from '../src/domain/clientes/clientes.types.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { HORA, MINUTO } from './calendario.ts';
import type { Calendario } from './calendario.ts';
import type { LinhaCliente, LinhaEndereco, LinhaTelefone } from './modelo.ts';
import type { PerfilDemo } from './perfis.ts';
import type { Pessoas } from './pessoas.ts';
import type { Sorteio } from './sorteio.ts';

const QUANTOS = 2000;

const SITUACOES: readonly (readonly [SituacaoCliente, number])[] = [
  ['ativo', 80],
  ['bloqueado', 8],
  ['observacao', 2],
  ['cancelado', 6],
  ['inativo', 2.5],
  ['pre_cadastro', 1.5],
];

const SEM_ENDERECO: LinhaEndereco = {
  cep: null,
  logradouro: null,
  numero: null,
  complemento: null,
  bairro: null,
  cidade: null,
  uf: null,
};

/** Clients and phones of a provider; a phone points to its client's position. */
export function gerarClientes(deps: {
  perfil: PerfilDemo;
  calendario: Calendario;
  sorteio: Sorteio;
  pessoas: Pessoas;
}): { clientes: LinhaCliente[]; telefones: LinhaTelefone[] } {
  const { perfil, calendario, sorteio, pessoas } = deps;
  const clientes: LinhaCliente[] = [];
  const telefones: LinhaTelefone[] = [];
  for (let i = 0; i < QUANTOS; i += 1) {
    const situacao = sorteio.pesado(SITUACOES);
    const cidade = sorteio.escolher(perfil.cidades);
    const pj = sorteio.chance(0.09);
    const { nome, fantasia } = pj ? pessoas.nomePj() : { nome: pessoas.nomePf(), fantasia: null };
    // Who has a contract with invoices has been a client for over a year, for the twelve invoices of each contract.
    const dias = situacao === 'pre_cadastro' ? sorteio.inteiro(1, 20) : sorteio.inteiro(410, 3200);
    const dia = calendario.diasAtras(dias);
    const criadoEm = calendario.instante(dia, 8 * HORA + sorteio.inteiro(0, 599) * MINUTO + sorteio.inteiro(0, 59_999));
    const nascimento = somarDias(calendario.hoje, -sorteio.inteiro(19 * 365, 84 * 365));
    clientes.push({
      nome,
      nome_fantasia: fantasia,
      tipo: pj ? 'pj' : 'pf',
      cpf_cnpj: pj ? pessoas.cnpj(sorteio.chance(0.08)) : pessoas.cpf(),
      email: sorteio.chance(0.82) ? pessoas.email(nome) : null,
      situacao,
      data_nascimento: pj || sorteio.chance(0.1) ? null : nascimento,
      ...(sorteio.chance(0.02) ? SEM_ENDERECO : pessoas.endereco(cidade)),
      criado_em: toDatabaseTime(criadoEm),
      atualizado_em: toDatabaseTime(criadoEm),
    });
    const quantos = sorteio.pesado([
      [1, 62],
      [2, 30],
      [3, 8],
    ]);
    for (let t = 0; t < quantos; t += 1) telefones.push({ cliente_id: i, numero: pessoas.telefone(cidade.ddd) });
  }
  return { clientes, telefones };
}
