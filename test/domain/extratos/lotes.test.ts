import test from 'ava';
import { TABELAS } from '../../../src/domain/extratos/extratos.types.ts';
import { fotografar } from '../../../src/domain/extratos/retrato.ts';
import { createLeituraDeTabela } from '../../../src/domain/extratos/leitura.queries.ts';
import type { Ultima } from '../../../src/domain/extratos/tabelas.queries.ts';
import { snapshotsOfPrimary } from '../../../src/platform/mysql/replica.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { povoar } from './apoio.ts';

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(() => api.fechar());

test.serial('o texto de uma coluna que o banco guarda em outra codificação sai em UTF-8', async (t) => {
  await api.dono.raw('ALTER TABLE planos MODIFY descricao TEXT CHARACTER SET latin1');
  const provedorId = await criarFabrica(api.dono).provedor();
  await criarFabrica(api.dono).plano(provedorId, { descricao: 'ação þÿ' });
  const provedor = (await api.container.provedores.buscarPorId(provedorId))!;
  await fotografar(
    { fonte: snapshotsOfPrimary(api.dono), agora: () => new Date(), intervaloPadraoSegundos: 300 },
    provedor,
    async (retrato) => {
      const lote = (await createLeituraDeTabela(retrato, 'planos').proximas(null, 10))!;
      t.true(Buffer.from(lote.linhas).includes(Buffer.from('ação þÿ')));
      t.is(lote.quantas, 1);
    },
  );
});

test.serial('lotes de qualquer tamanho dão os mesmos bytes, e dizem quantas linhas têm', async (t) => {
  const provedor = (await api.container.provedores.buscarPorId(await povoar(api, 40)))!;
  await povoar(api, 3);
  await fotografar(
    { fonte: snapshotsOfPrimary(api.dono), agora: () => new Date(), intervaloPadraoSegundos: 300 },
    provedor,
    async (retrato) => {
      for (const tabela of TABELAS) {
        const leitura = createLeituraDeTabela(retrato, tabela);
        const inteira = (await leitura.proximas(null, 1000))!;
        for (const tamanho of [1, 3, 7]) {
          const partes: Uint8Array[] = [];
          const quantas: number[] = [];
          for (let ultima: Ultima | null = null; ;) {
            const lote = await leitura.proximas(ultima, tamanho);
            if (lote === null) break;
            partes.push(lote.linhas);
            quantas.push(lote.quantas);
            ultima = lote.ultima;
          }
          t.deepEqual(Buffer.concat(partes), Buffer.from(inteira.linhas), `${tabela}, de ${tamanho} em ${tamanho}`);
          t.true(quantas.slice(0, -1).every((n) => n === tamanho));
          t.is(
            quantas.reduce((soma, n) => soma + n, 0),
            inteira.quantas,
          );
        }
      }
    },
  );
});
