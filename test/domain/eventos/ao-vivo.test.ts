import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { aoVivo } from '../../../src/domain/eventos/ao-vivo.regras.ts';
import { notificarEquipe } from '../../../src/domain/recebimentos/equipe.service.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';

const RAIZ = fileURLToPath(new URL('../../../../', import.meta.url));

test('os painéis abertos ouvem de tudo o que toca o sino', async (t) => {
  const api = await criarApi();
  t.teardown(() => api.fechar());
  const provedor = await criarFabrica(api.dono).provedor();
  const eventos = () => api.dono('eventos').where({ provedor_id: provedor }).orderBy('id', 'desc');
  for (const tipo of [
    'recebimento.nao_identificado',
    'boleto.rejeitado',
    'devolucao.nao_realizada',
    'fatura.estornada',
  ]) {
    await api.container.write(AUTOR, provedor, async (w) =>
      notificarEquipe(w, [{ tipo, recurso: 'recebimento', id: 1 }], 'pix', new Date()),
    );
    const [evento] = await eventos();
    t.deepEqual(aoVivo([evento], jsonColumn<string[]>(evento.etiquetas)), [{ tipo: 'notificacao', id: null }], tipo);
  }
  t.deepEqual(aoVivo([{ tipo: 'fatura.paga', recurso_id: 1 }], ['faturas']), []);
});

test('nada se escreve no sino por outro caminho', (t) => {
  const arquivos = readdirSync(path.join(RAIZ, 'src'), { recursive: true, encoding: 'utf8' });
  const escrevem = arquivos.filter(
    (nome) =>
      nome.endsWith('.ts') && /insert\(\s*'notificacoes'/.test(readFileSync(path.join(RAIZ, 'src', nome), 'utf8')),
  );
  t.deepEqual(escrevem, ['domain/notificacoes/toque.service.ts']);
});
