import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { oferecerNotas } from '../../seeds/notas.ts';
import { criarApi } from '../support/api.ts';
import { enviarTudo, escrever, provedorFiscal } from '../support/fiscal.ts';
import { relogioEm } from '../support/relogio.ts';

test('a autoridade da demonstração confere o esquema e a assinatura do que recebe', async (t) => {
  const relogio = relogioEm('2026-11-20T15:00:00.000Z');
  const api = await criarApi({ relogio, env: { MALHA_REDES_PERMITIDAS: '127.0.0.1/32' } });
  t.teardown(() => api.fechar());
  const pasta = await mkdtemp(join(tmpdir(), 'malha-autoridade-'));
  t.teardown(() => rm(pasta, { recursive: true }));
  const p = await provedorFiscal(api, null);
  await api.dono('provedores').where('id', p.provedor).update({ demonstracao: 1 });
  const notas = await oferecerNotas({
    db: api.dono,
    relogio,
    lerPfx: api.container.lerPfx,
    arquivo: join(pasta, 'autoridade.jsonl'),
    permitir: (servidor) => api.container.permitOutbound(servidor),
    escrever: async (id, fazer) => escrever(api.container, id, fazer),
  });
  t.teardown(async () => notas?.fechar());
  const um = async (id: number) => api.dono('nfcom').where('id', id).first();
  const certa = await p.pedir((await p.fatura()).fatura);
  await enviarTudo(api.container);
  t.like(await um(certa), { situacao: 'autorizada', numero: 1 });

  // What was changed after it was signed.
  const xml: string = (await um(certa)).xml_assinado.toString();
  for (const [codigo, trocada] of [
    ['215', xml.replace(/<xBairro>[^<]*/, '<xBairro>')],
    ['297', xml.replace(/<xBairro>[^<]*/, '<xBairro>Outro')],
  ] as const) {
    const deNovo = { situacao: 'processando', etapa: 'enviar', proxima_em: '2026-11-20 12:00:00.000' };
    await api
      .dono('nfcom')
      .where('id', certa)
      .update({ ...deNovo, xml_assinado: Buffer.from(trocada) });
    await enviarTudo(api.container);
    t.like(await um(certa), { situacao: 'rejeitada', motivo_codigo: codigo });
  }
});
