import test from 'ava';
import { alterarPara } from '../../../src/domain/rede/sessoes/alteracao.regras.ts';
import type { EntradaDaAlteracao } from '../../../src/domain/rede/sessoes/alteracao.regras.ts';
import { VAZIO, conteudoDoPlano, soNoNas } from '../../../src/domain/rede/radius/conteudo.regras.ts';
import type { Conteudo } from '../../../src/domain/rede/radius/conteudo.regras.ts';
import { isChangeable } from '../../../src/platform/radius/attributes.ts';

const com = (...nomes: string[]): Conteudo => ({
  check: [],
  reply: nomes.map((attribute) => ({ attribute, op: ':=', value: '1' })),
});
const RECUSA: Conteudo = { check: [{ attribute: 'Auth-Type', op: ':=', value: 'Reject' }], reply: [] };
const TAXA = 'Mikrotik-Rate-Limit';
const LISTA = 'Mikrotik-Address-List';

const conteudos = new Map<string, Conteudo>([
  ['plano-1', com(TAXA)],
  ['plano-2', com(TAXA)],
  ['plano-filtro', com('Filter-Id')],
  ['plano-lista', com(TAXA, LISTA)],
  ['plano-pool', com(TAXA, 'Framed-Pool')],
  ['bloqueado', RECUSA],
  ['bloqueado-p3', com(LISTA)],
  ['bloqueado-10.0.0.1', soNoNas('10.0.0.1', com(LISTA))],
  ['vip', com(TAXA)],
]);

const BASE: EntradaDaAlteracao = {
  coa: 'tudo',
  estado: 'liberado',
  grupoDoPlano: 'plano-2',
  antes: 'plano-1',
  depois: 'plano-2',
  conteudos,
  doLogin: [],
  mutavel: isChangeable,
};
const BLOQUEIO = { estado: 'bloqueado', depois: 'bloqueado-p3' } as const;
const LIBERACAO = { antes: 'bloqueado-p3', depois: 'plano-lista', grupoDoPlano: 'plano-lista' } as const;

for (const [quando, mudanca, esperado] of [
  ['de um plano para outro', {}, 'plano-2'],
  ['de um plano para outro, num NAS que só muda velocidades', { coa: 'velocidade' }, 'plano-2'],
  ['num NAS sem CoA', { coa: 'nao' }, null],
  ['de um plano que dizia o que o novo não diz', { antes: 'plano-filtro' }, null],
  ['para um plano com pool', { depois: 'plano-pool', grupoDoPlano: 'plano-pool' }, null],
  ['para um plano sem atributos', { depois: 'plano-9', grupoDoPlano: 'plano-9' }, null],
  ['atrás de um grupo que não é o do plano', { depois: 'vip' }, null],
  ['de um login que já ouve o atributo por si', { doLogin: [TAXA] }, null],
  ['sem grupo nenhum depois', { depois: null }, null],
  ['bloqueado por lista', BLOQUEIO, 'bloqueado-p3'],
  ['bloqueado por lista num só NAS', { ...BLOQUEIO, depois: 'bloqueado-10.0.0.1' }, 'bloqueado-10.0.0.1'],
  ['bloqueado por lista, num NAS que só muda velocidades', { ...BLOQUEIO, coa: 'velocidade' }, null],
  ['bloqueado por recusa', { ...BLOQUEIO, depois: 'bloqueado' }, null],
  ['de um bloqueio para outro', { ...BLOQUEIO, antes: 'bloqueado-10.0.0.1' }, null],
  ['bloqueado outra vez do mesmo modo', { ...BLOQUEIO, antes: 'bloqueado-p3' }, 'bloqueado-p3'],
  ['liberado para um plano que diz outra lista', LIBERACAO, 'plano-lista'],
  ['liberado para um plano que não diz lista', { ...LIBERACAO, depois: 'plano-1', grupoDoPlano: 'plano-1' }, null],
  ['liberado, num NAS que só muda velocidades', { ...LIBERACAO, coa: 'velocidade' }, null],
  ['retirado', { estado: 'retirado', depois: 'retirado' }, null],
] as const satisfies readonly (readonly [string, Partial<EntradaDaAlteracao>, string | null])[]) {
  test(`${quando}: ${esperado === null ? 'a sessão é encerrada' : 'a sessão é alterada'}`, (t) => {
    t.is(alterarPara({ ...BASE, ...mudanca }), esperado);
  });
}

test('as velocidades vão nas unidades que a linha pede, e o que não é lugar fica como está', (t) => {
  const linha = (value: string) => [{ attribute: 'Filter-Id', op: ':=', value }];
  const plano = { download_mbps: 300, upload_mbps: 150 };
  const dito = (value: string): string | undefined => conteudoDoPlano(linha(value), plano)[0]?.value;
  t.is(dito('{upload_mbps}M/{download_mbps}M'), '150M/300M');
  t.is(dito('{download_kbps}:{upload_kbps}'), '300000:150000');
  t.is(dito('{download_bps} {upload_bps}'), '300000000 150000000');
  t.is(dito('fixo'), 'fixo');
  t.is(conteudoDoPlano(linha('{download_bps}'), { ...plano, download_mbps: 5000 })[0]?.value, '4294967295');
  t.deepEqual(VAZIO, { check: [], reply: [] });
});
