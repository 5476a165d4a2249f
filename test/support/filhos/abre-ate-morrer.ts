import { writeSync } from 'node:fs';
import { createAtendimentoService } from '../../../src/domain/chamados/atendimento.service.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createNumeracao } from '../../../src/domain/protocolos/numeracao.service.ts';
import { createProtocolosService } from '../../../src/domain/protocolos/protocolos.service.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { relogioDoSistema as relogio } from '../../../src/platform/timing/relogio.ts';
import { AUTOR } from '../autor.ts';

// Opens tickets, so many at a time and one after another, until it is killed, and says each that was opened.
const [databaseUrl = '', ...numeros] = process.argv.slice(2);
const [provedorId = 0, clienteId = 0, aoMesmoTempo = 0] = numeros.map(Number);
const write = createEscrita({
  db: createDatabase({ url: databaseUrl, pool: 10, announces: true }),
  gate: { bump: async () => {} },
  onUnconfirmed: () => {},
});
const numeracao = createNumeracao(createDatabase({ url: databaseUrl, pool: 1 }));
const provedor = { fusoHorario: 'America/Sao_Paulo' };

await Promise.all(
  Array.from({ length: aoMesmoTempo }, async () => {
    for (;;) {
      const id = await write(AUTOR, provedorId, async (w) => {
        const protocolos = createProtocolosService({ w, provedor, relogio, numeracao });
        const chamados = createAtendimentoService({ w, provedor, relogio, protocolos });
        const oQue = { assunto: 'Caiu', descricao: 'Caiu.' };
        return chamados.abrir({ clienteId, contratoId: null, prioridade: 'normal', categoria: null, ...oQue });
      });
      // At once: what was said must have been said when the process dies.
      writeSync(1, `${id}\n`);
    }
  }),
);
