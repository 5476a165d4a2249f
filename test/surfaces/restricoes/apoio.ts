import { randomBytes } from 'node:crypto';
import { digitosCpf } from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import type { Api } from '../../support/api.ts';
import { BOLETO, pixDoPsp } from '../../support/cobrancas.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { sorteio } from '../../support/sorteio.ts';

const PRENOMES = ['Maria', 'João', 'Antônia', 'Luís', 'Conceição', 'Tiago', 'Zuleica', 'Otávio'];
const SOBRENOMES = ['Quaresma', 'Bragança', 'Vilela', 'Nóbrega', 'Taveira', 'Peçanha', 'Sarmento', 'Figueiró'];
const RUAS = ['Rua das Acácias', 'Avenida Tancredo Neves', 'Travessa Bento Peçanha', 'Estrada Velha do Moinho'];

/** What must not be read by who is masked. */
export interface Pessoa {
  readonly id: number;
  readonly nome: string;
  readonly documento: string;
  readonly telefone: string;
  readonly email: string;
  readonly rua: string;
  readonly login: string;
  readonly contrato: number;
  readonly fatura: number;
  readonly chamado: number;
  readonly protocolo: string;
  /** Of the invoice's pages. */
  readonly token: string;
}

export const segredosDe = ({ nome, documento, telefone, email, rua, login, token }: Pessoa): string[] => [
  nome,
  documento,
  telefone,
  telefone.slice(-8),
  email,
  rua,
  login,
  token,
  // Where a PSP's code leads to.
  'payload.psp.com',
];

const pontuado = (cpf: string): string => cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4');

/** Clients whose own data stand in every text that is written of them, each time in another way. */
export async function povoar(api: Api, provedor: number, quantos: number, semente = 1): Promise<Pessoa[]> {
  const fabrica = criarFabrica(api.dono);
  const { um, ate } = sorteio(semente);
  const plano = await fabrica.plano(provedor, { nome: 'Fibra 500' });
  const pessoas: Pessoa[] = [];
  for (let n = 0; n < quantos; n += 1) {
    const base = String(100_000_000 + ate(899_999_999)).slice(0, 9);
    const documento = base + digitosCpf(base);
    const nome = `${um(PRENOMES)} ${um(SOBRENOMES)} ${um(['da', 'de', 'dos'])} ${um(SOBRENOMES)}`;
    const telefone = `359${String(80_000_000 + ate(19_999_999))}`;
    const email = `pessoa${semente}x${n}@dominio${n}.com.br`;
    const login = `lg${semente}.${n}.${ate(9999)}`;
    const rua = um(RUAS);
    const endereco = {
      logradouro: rua,
      numero: String(ate(900) + 1),
      bairro: 'Centro',
      cidade: 'Alfenas',
      uf: 'MG',
      cep: '37130001',
    };
    const dito = [
      `Falei com ${nome.toUpperCase()}, CPF ${pontuado(documento)}, fone (35) 9 ${telefone.slice(3, 7)}-${telefone.slice(7)}.`,
      `${nome.normalize('NFD').replace(/\p{M}/gu, '')} (${documento}) mora na ${rua.toLowerCase()}, 120; login ${login}`,
      `Pede segunda via em ${email.toUpperCase()} ou +55 35 ${telefone.slice(2)}; usuário "${login.toUpperCase()}".`,
      `Titular: ${nome.split(' ').join('  ')}. Doc ${documento.split('').join('.')}; endereço: ${rua}, nº 12.`,
    ];
    const cliente = await fabrica.cliente(provedor, {
      nome,
      cpf_cnpj: documento,
      email,
      data_nascimento: '1988-04-12',
      ...endereco,
    });
    await fabrica.telefone(provedor, { cliente_id: cliente, numero: telefone });
    const contrato = await fabrica.contrato(provedor, {
      cliente_id: cliente,
      plano_id: plano,
      login,
      mac: 'D4:6E:0E:11:22:33',
      ip: '100.64.10.7',
      ...endereco,
    });
    const token = randomBytes(16).toString('base64url');
    const txid = `T${semente}N${n}`;
    const fatura = await fabrica.fatura(provedor, {
      cliente_id: cliente,
      contrato_id: contrato,
      descricao: um(dito),
      token,
      ...BOLETO,
      ...(n % 2 === 0 ? { pix_txid: txid } : { pix_txid: txid.padEnd(26, '0'), pix_copia_cola: pixDoPsp() }),
    });
    const chamado = await fabrica.chamado(provedor, {
      cliente_id: cliente,
      contrato_id: contrato,
      assunto: um(dito),
      descricao: dito.join('\n'),
      solucao: um(dito),
    });
    await fabrica.historico(provedor, { chamado_id: chamado, descricao: um(dito), autor: nome });
    const protocolo = `20261120${String(semente * 10_000 + n).padStart(6, '0')}`;
    await createTenantWriter(api.dono, provedor).insert('atendimentos', {
      protocolo,
      tipo: 'contato',
      cliente_id: cliente,
      assunto: um(dito),
      resumo: dito.join(' '),
      aberto_em: '2026-11-01 09:00:00.000',
    });
    pessoas.push({
      id: cliente,
      nome,
      documento,
      telefone,
      email,
      rua,
      login,
      contrato,
      fatura,
      chamado,
      protocolo,
      token,
    });
  }
  return pessoas;
}
