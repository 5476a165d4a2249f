import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const RAIZ = fileURLToPath(new URL('../../', import.meta.url));

/** Files of the domain that write without the helper of `src/platform/mysql/writes.ts`, each with its reason. */
const EXCECOES: Readonly<Record<string, string>> = {
  'src/domain/conexoes/agregacao.queries.ts': 'o RADIUS não espera resposta; o retransmissor marca as etiquetas',
  'src/domain/conexoes/horas/horas.queries.ts': 'o que a agregação soma aos servidores, na transação dela',
  'src/domain/trafego/soma.queries.ts':
    'soma os bytes de que a rede falou, de todos os provedores: nenhuma resposta guardada depende disso',
  'src/domain/conexoes/avisar-mudancas.ts': 'põe na caixa de saída as etiquetas do que a agregação recalculou',
  'src/domain/acessos/sessoes/uso.queries.ts':
    'anota que um token do app foi mostrado: não é ato de ninguém, e nenhuma resposta guardada depende disso',
  'src/domain/celulas/acessos.ts':
    'leva ao banco de outra célula, pelo dono do esquema, quem viu os dados de quem: nenhuma resposta guardada depende disso',
  'src/domain/celulas/fatias.ts': 'esvazia, no banco de outra célula, o que os gatilhos dela anotaram do que se copiou',
  'src/domain/celulas/grupos.ts': 'as tabelas do FreeRADIUS, sem inquilino, no banco de outra célula',
  'src/domain/celulas/logins.ts': 'as tabelas do FreeRADIUS, sem inquilino, no banco de outra célula',
  'src/domain/celulas/lugar.service.ts': 'diz, pelo dono do esquema, que um provedor fica ou é largado numa célula',
  'src/domain/celulas/situacao.ts':
    'diz, pelo dono do esquema, em que célula um provedor vive, o que as escritas dele perguntam, e na caixa de saída o que disso falta fazer',
  'src/domain/celulas/arquivo/exportacao.service.ts': 'abre a transação, só de leitura, de que o arquivo é escrito',
  'src/domain/celulas/arquivo/importacao.service.ts':
    'carrega um provedor inteiro, pelo dono do esquema: ninguém o leu antes',
  'src/domain/celulas/mudanca.service.ts':
    'leva um provedor de um banco a outro, pelo dono do esquema, e avisa os processos dos dois',
  'src/domain/tarefas/por-enviar.ts':
    'encerra, depois de restaurado um backup, o que esperava sair: nenhum processo atende ainda',
  'src/domain/chaves/uso/uso.queries.ts': 'soma o uso das chaves de todos: nenhuma resposta guardada depende disso',
  'src/domain/eventos/publicacao.service.ts': 'dá por publicado o que está na caixa de saída',
  'src/domain/extratos/retrato.ts': 'abre a transação, só de leitura, de que um extrato é lido',
  'src/domain/recebimentos/identificacao/identificacao.service.ts':
    'abre a transação, só de leitura, da soma de um instante',
  'src/domain/contratos/cadastro/cadastro.queries.ts':
    'põe na fila a conexão de um contrato, na transação do auxiliar: a fila é de todos os provedores',
  'src/domain/registros/silencio.service.ts':
    'encerra, num só comando, os registros de sessões de que nada mais se ouviu',
  'src/domain/auditoria/acessos.service.ts': 'anota quem viu os dados de quem: nenhuma resposta guardada depende disso',
  'src/domain/rede/acesso/acesso.queries.ts': 'as tabelas do FreeRADIUS, sem inquilino, na transação do auxiliar',
  'src/domain/rede/muitos-pedidos.queries.ts': 'pede por todos num só comando, na transação do auxiliar',
  'src/domain/rede/nas.queries.ts': 'um NAS que se acrescenta ou remove, na transação do auxiliar',
  'src/domain/rede/radius/conteudo.queries.ts': 'as tabelas do FreeRADIUS, sem inquilino, na transação do auxiliar',
  'src/domain/rede/radius/grupos.queries.ts': 'idem',
  'src/domain/rede/radius/logins.queries.ts': 'idem',
  'src/domain/protocolos/numeracao.service.ts':
    'conta os números de um dia, muitos por segundo, numa instrução só: nenhuma resposta guardada depende disso',
  'src/domain/correio/entregas.service.ts':
    'conta tentativas e anota o que deu nelas: quem pediu a carta o ouve na mesma transação',
  'src/domain/rede/deteccao/deteccao.queries.ts':
    'anota que quedas de todos os provedores foram avaliadas: nenhuma resposta guardada depende disso',
  'src/domain/rede/deteccao/silencio.queries.ts':
    'anota desde quando a célula ouve a rede, que é de todos os provedores: nenhuma resposta guardada depende disso',
  'src/domain/provedores/app/app.queries.ts': 'a linha do próprio provedor, na transação do auxiliar',
  'src/domain/push/canais/aes128gcm.ts': 'cifra uma mensagem: não escreve tabela nenhuma',
  'src/domain/push/canais/vapid.ts': 'as chaves do operador, que não são de provedor nenhum',
  'src/domain/push/entregas/entregas.service.ts':
    'conta tentativas e anota o que deu nelas, muitas por segundo: nenhuma resposta guardada depende disso',
  'src/domain/push/conta/conta.queries.ts': 'a linha do próprio provedor, na transação do auxiliar',
  'src/domain/provedores/configuracao/configuracao.queries.ts': 'a linha do próprio provedor, na transação do auxiliar',
  'src/domain/provedores/provedores.queries.ts': 'o nascimento de um provedor: ninguém o leu antes',
  'src/domain/usuarios/sessoes/vista.queries.ts':
    'anota que uma sessão está em uso, uma vez por minuto: não é ato de ninguém, e quem chama marca a etiqueta',
  'src/domain/webhooks/entregas/entregas.service.ts':
    'conta tentativas e anota o que deu nelas, muitas por segundo: nenhuma resposta guardada depende disso',
  'src/domain/retencao/retencao.queries.ts': 'apaga o que ninguém mais lê: nenhuma resposta guardada depende disso',
};

/** What writes rows when it is not a method of the writer that the helper hands out (`w` or `write`). */
const PROIBIDOS: readonly { padrao: RegExp; motivo: string }[] = [
  {
    padrao:
      /(?<!\b(?:w|write))\s*\.(?:(?:insert|update|truncate|upsert|increment|decrement)\s*\(|(?:delete|del)\s*\(\s*\))/g,
    motivo: 'escreve fora do auxiliar de escritas',
  },
  {
    padrao:
      /[`'"]\s*(?:INSERT\s+INTO|INSERT\s+IGNORE|REPLACE\s+INTO|UPDATE\s+\S+\s|DELETE\s+\w*\s*FROM|DELETE\s+\w+\s|TRUNCATE)/gi,
    motivo: 'escreve em SQL',
  },
  { padrao: /\bcreateTenantWriter\s*\(/g, motivo: 'faz para si quem escreve, em vez de recebê-lo do auxiliar' },
  { padrao: /\.transaction\s*\(/g, motivo: 'abre uma transação fora do auxiliar de escritas' },
];

/** What comes before an `update` that changes no row. */
const RESUMO = /createH(?:ash|mac)\([^)]*\)\s*$|\bhash\s*$/;

interface Achado {
  readonly arquivo: string;
  readonly linha: number;
  readonly motivo: string;
}

/** Writes outside the helper in a source text. */
function procurar(arquivo: string, fonte: string): Achado[] {
  const achados: Achado[] = [];
  // Comments go, line by line, so that the numbers stay.
  const codigo = fonte
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comentario) => comentario.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/.*$/gm, (comentario) => ' '.repeat(comentario.length));
  for (const { padrao, motivo } of PROIBIDOS) {
    for (const achado of codigo.matchAll(padrao)) {
      if (RESUMO.test(codigo.slice(0, achado.index))) continue;
      // A chain that is broken over lines begins with white space: the line is that of the call.
      const ate = achado.index + achado[0].search(/\S/);
      achados.push({ arquivo, linha: codigo.slice(0, ate).split('\n').length, motivo });
    }
  }
  return achados;
}

function arquivosDe(pasta: string): string[] {
  return readdirSync(path.join(RAIZ, pasta), { recursive: true, encoding: 'utf8' })
    .filter((nome) => nome.endsWith('.ts'))
    .map((nome) => path.join(pasta, nome));
}

const ARQUIVOS = [...arquivosDe('src/domain'), ...arquivosDe('src/surfaces'), ...arquivosDe('workers/jobs')];

test('nenhum serviço escreve tabela de provedor fora do auxiliar de escritas', (t) => {
  const achados = ARQUIVOS.filter((arquivo) => EXCECOES[arquivo] === undefined).flatMap((arquivo) =>
    procurar(arquivo, readFileSync(path.join(RAIZ, arquivo), 'utf8')),
  );
  t.deepEqual(
    achados.map(({ arquivo, linha, motivo }) => `${arquivo}:${linha}: ${motivo}`),
    [],
  );
});

test('toda exceção ainda existe e ainda escreve', (t) => {
  for (const arquivo of Object.keys(EXCECOES)) {
    t.not(procurar(arquivo, readFileSync(path.join(RAIZ, arquivo), 'utf8')).length, 0, arquivo);
  }
});

const ESCRITAS: Readonly<Record<string, string>> = {
  'insert do knex': `await db('clientes').insert({ nome });`,
  'insert noutra linha': `await tenant\n  .from('clientes')\n  .insert({ nome });`,
  'update do knex': `await tenant.from('clientes').where({ id }).update({ nome });`,
  'delete do knex': `await trx('clientes').where({ id }).delete();`,
  'del do knex': `await trx('clientes').where({ id }).del();`,
  incremento: `await trx('clientes').where({ id }).increment('n');`,
  'INSERT em SQL': 'await db.raw(`INSERT INTO clientes (nome) VALUES (?)`, [nome]);',
  'update em SQL, em minúsculas': `await db.raw('update clientes set nome = ?', [nome]);`,
  'DELETE em SQL, noutra linha': 'await db.raw(`\n  DELETE FROM clientes`);',
  'DELETE de uma junção': 'await db.raw(`DELETE c FROM clientes c`);',
  'quem escreve feito à mão': `await createTenantWriter(db, 1).insert('clientes', {});`,
  'transação própria': `await db.transaction(async (trx) => {});`,
};
for (const [nome, fonte] of Object.entries(ESCRITAS)) {
  test(`a busca acha, com a linha: ${nome}`, (t) => {
    const [achado] = procurar('x.ts', `// primeira linha\n${fonte}\n`);
    t.not(achado, undefined);
    t.true(achado!.linha >= 2);
  });
}

const LEITURAS: Readonly<Record<string, string>> = {
  'a escrita pelo auxiliar': `await w.insert('clientes', {}); await write.update('clientes', (q) => q, {});`,
  'um conjunto que perde um elemento': `cargas.delete(carga);`,
  'um resumo': `createHash('sha256').update(texto).digest('hex');`,
  'uma reserva de linhas': 'const sql = `SELECT id FROM x ORDER BY id FOR UPDATE SKIP LOCKED`;',
  'um comentário': `/* db('x').insert({}) */\n// db('x').del()\n * texto`,
};
for (const [nome, fonte] of Object.entries(LEITURAS)) {
  test(`a busca não se incomoda com ${nome}`, (t) => t.deepEqual(procurar('x.ts', fonte), []));
}
