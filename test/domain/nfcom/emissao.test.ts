import test from 'ava';
import { gunzipSync } from 'node:zlib';
import { abrirAutoridade } from '../../../src/local/autoridade/autoridade.ts';
import type { Autoridade, Humor, Operacao } from '../../../src/local/autoridade/autoridade.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { cartorio, enviarTudo, escrever, provedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let autoridade: Autoridade;
let humor: (operacao: Operacao, chave: string | null) => Humor = () => ({});

test.before(async () => {
  api = await criarApi({ relogio, env: { MALHA_REDES_PERMITIDAS: '127.0.0.1/32' } });
  autoridade = await abrirAutoridade({ cartorio, agora: relogio.agora, humor: (...pedido) => humor(...pedido) });
});
test.after.always(async () => {
  await autoridade.fechar();
  await api.fechar();
});
test.beforeEach(() => {
  relogio.definir(AGORA);
  humor = () => ({});
});

const um = async (id: number) => api.dono('nfcom').where('id', id).first();

test.serial(
  'uma nota pedida é montada, numerada, enviada e autorizada; o XML é o assinado, com o protocolo',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { sva: '30' });
    const { fatura } = await p.fatura();
    const id = await p.pedir(fatura);
    await enviarTudo(api.container);
    const nota = await um(id);
    t.like(nota, {
      situacao: 'autorizada',
      serie: 1,
      numero: 1,
      valor: '99.90',
      etapa: null,
      posse_ate: null,
      motivo: null,
    });
    t.is(nota.chave.length, 44);
    t.is(autoridade.notas.get(nota.chave)?.protocolo, nota.protocolo);
    const xml = nota.xml_autorizado.toString();
    t.true(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?><nfcomProc'));
    t.true(xml.includes(nota.xml_assinado.toString().replace(/^<\?xml[^?]*\?>/, '')));
    t.is((xml.match(/<det /g) ?? []).length, 2);
    const eventos = await api.dono('eventos').where({ provedor_id: p.provedor, tipo: 'nfcom.autorizada' });
    t.is(eventos.length, 1);
    void gunzipSync;
    void escrever;
  },
);
