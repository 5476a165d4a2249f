import test from 'ava';
import { login as lerLogin } from '../../../src/domain/campos/leitores.ts';
import {
  gerarSenha,
  loginsComRealm,
  loginsPara,
  realmDe,
  senhaDe,
  travaDoLogin,
} from '../../../src/domain/rede/acesso/acesso.regras.ts';

const provedor = (panelHost: string, nome = 'Serra Azul Telecom') => ({ panelHost, nome });

test('o realm é o host do painel sem o nome que diz para que serve, e sempre tem um ponto', (t) => {
  for (const [host, realm] of [
    ['painel.serra.net.br', 'serra.net.br'],
    ['painel2.serra.net.br', 'serra.net.br'],
    ['serra.malha.app', 'serra.malha.app'],
    ['localhost', 'serraazultelecom.localhost'],
    ['painel.localhost', 'serraazultelecom.localhost'],
    [`${'x'.repeat(60)}.com.br`, 'serraazultelecom.br'],
  ] as const) {
    t.is(realmDe(provedor(host)), realm, host);
  }
});

test('o que se propõe com realm cabe num login, e do que já tinha um fica o nome', (t) => {
  const longos = loginsComRealm('a'.repeat(64), provedor('painel.serra.net.br'));
  t.true(longos.every((login) => login.length <= 64 && login.endsWith('@serra.net.br')));
  t.is(new Set(longos).size, longos.length);
  t.is(loginsComRealm('joao@rio', provedor('painel.serra.net.br'))[0], 'joao@serra.net.br');
});

test('o que se propõe em lugar de qualquer login pode ser dado', (t) => {
  for (const host of ['painel.serra.net.br', 'localhost']) {
    for (const de of [
      'olt1#3',
      'joao+casa',
      'joão&maria=p7',
      'a..b',
      'joao.',
      '@rio',
      '#',
      '李',
      'a@b@c',
      '.'.repeat(64),
    ]) {
      for (const proposto of loginsComRealm(de, provedor(host)))
        t.deepEqual(lerLogin(proposto), { valor: proposto }, de);
    }
  }
  t.is(loginsComRealm('olt1#3', provedor('painel.serra.net.br'))[0], 'olt1-3@serra.net.br');
  for (const nome of ['Ângela  Maria D’Ávila', '李', 'Zé + Cia #2', `${'x'.repeat(29)} y`]) {
    for (const proposto of loginsPara(nome, 7)) t.deepEqual(lerLogin(proposto), { valor: proposto }, nome);
  }
});

test('um nome vira login sem acento, o mais curto primeiro', (t) => {
  t.deepEqual(loginsPara('Ângela  Maria D’Ávila', 7).slice(0, 3), ['angela.avila', 'angela.avila7', 'angela.avila7-2']);
  t.is(loginsPara('李', 7)[0], 'cliente');
  t.true(loginsPara('x'.repeat(160), 7).every((login) => /^[\w.-]{1,64}$/.test(login)));
});

test('nomes que o banco toma por um têm a mesma trava, e as travas são as da tabela', (t) => {
  for (const outro of ['JOAO.SILVA', 'joão.silva', 'joao.silva  ']) {
    t.is(travaDoLogin(outro), travaDoLogin('joao.silva'), outro);
  }
  const travas = new Set(Array.from({ length: 20_000 }, (_, n) => travaDoLogin(`login${n}`)));
  t.is(travas.size, 1024);
  t.true([...travas].every((n) => n >= 0 && n < 1024));
});

test('uma senha feita tem dez caracteres que ninguém confunde, e nunca a mesma', (t) => {
  const senhas = Array.from({ length: 1000 }, gerarSenha);
  t.is(new Set(senhas).size, 1000);
  t.true(senhas.every((senha) => /^[a-hjkm-np-zA-HJ-NP-Z2-9]{10}$/.test(senha)));
});

test('IPoE dispensa senha, salvo a que se digite; de PPPoE faz-se uma', (t) => {
  t.deepEqual(senhaDe({ tipoConexao: 'ipoe' }, undefined), { senha: null, gerada: false });
  t.deepEqual(senhaDe({ tipoConexao: 'ipoe' }, 'cisco'), { senha: 'cisco', gerada: false });
  t.true(senhaDe({ tipoConexao: 'pppoe' }, null).gerada);
});
