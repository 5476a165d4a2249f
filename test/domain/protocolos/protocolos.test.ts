import test from 'ava';
import { atorDaChave } from '../../../src/domain/actor.ts';
import { lerData } from '../../../src/brazil/calendario/datas.ts';
import { protocoloDe } from '../../../src/domain/protocolos/protocolos.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { vindoDe } from '../../support/autor.ts';

// 23:30 of the day before in São Paulo.
const relogio = relogioEm('2026-11-21T02:30:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());

test('200 chamados abertos ao mesmo tempo por dois processos têm 200 protocolos do dia local, de 1 a 200', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(provedor);
  const { id, texto: chave } = await api.criarChave(provedor);
  const quem = await api.container.provedores.exigirPorId(provedor);
  const novo = { contratoId: null, clienteId: cliente_id, assunto: 'Sem conexão', descricao: 'Caiu.', categoria: null };
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) =>
      api.containers[n % 2]!.changeTenant(atorDaChave({ id, nome: 'bot' }, vindoDe('10.0.0.1')), quem, async (_d, e) =>
        e.chamados.abrir({ ...novo, prioridade: 'normal' }),
      ),
    ),
  );
  const { corpo } = await api.get('/chamados?por_pagina=100', { chave });
  t.is(corpo.paginacao.total, 200);
  const linhas = await api.dono('atendimentos').where({ provedor_id: provedor }).orderBy('protocolo');
  t.deepEqual(
    linhas.map(({ protocolo }) => protocolo),
    Array.from({ length: 200 }, (_, n) => `20261120${String(n + 1).padStart(6, '0')}`),
  );
  const deles = await api.dono('chamados').where({ provedor_id: provedor }).pluck('protocolo');
  t.deepEqual(
    [...deles].toSorted((a, b) => (a < b ? -1 : 1)),
    linhas.map(({ protocolo }) => protocolo),
  );
});

test('um protocolo tem sempre 14 dígitos; o milionésimo do dia não existe', (t) => {
  const dia = lerData('2026-11-20')!;
  t.is(protocoloDe(dia, 7), '20261120000007');
  t.is(protocoloDe(dia, 999_999), '20261120999999');
  t.throws(() => protocoloDe(dia, 1_000_000));
});
