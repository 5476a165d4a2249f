import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { exportarProvedor } from '../../domain/celulas/arquivo/exportacao.service.ts';
import type { Soma } from '../../domain/celulas/arquivo/formato.ts';
import { conferirArquivo, importarProvedor } from '../../domain/celulas/arquivo/importacao.service.ts';
import { assumir, comParado } from '../../domain/celulas/lugar.service.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { tabelasFechadas } from '../../domain/segredos/guardados.service.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { comando, inteiro } from '../comando.ts';
import type { Servicos, Sessao } from '../sessao.ts';
import { colunas, contar } from '../texto.ts';

/** `malha provedor exportar` and `malha provedor importar` */
export function comandosDeArquivo(provedor: Command, sessao: Sessao): void {
  comando(provedor.command('exportar'))
    .usage('<id> <arquivo> [opções]')
    .description(
      'põe tudo de um provedor num arquivo, como está num instante; só o dono dele o lê; veja docs/celulas.md',
    )
    .argument('<id>', 'id do provedor', inteiro)
    .argument('<arquivo>', 'arquivo novo')
    .option('--parar', 'daí em diante o provedor só se lê nesta célula, até malha provedor ficar ou largar')
    .option('--json', 'responde em JSON')
    .action(async (id: number, arquivo: string, { parar, json }: { parar?: boolean; json?: boolean }) => {
      await comDono(sessao, async (dono) => {
        const exportar = async () => exportarProvedor(dono, id, async (linhas) => escrever(arquivo, linhas));
        const aCaminho =
          'ATENÇÃO: algo ainda está a caminho de um servidor de e-mail, webhook ou aparelho, e pode ser enviado pelas duas células.\n';
        const somas =
          parar === true
            ? await comParado(dono, id, async (terminaram) => {
                if (!terminaram) sessao.tela.escrever(aCaminho);
                return exportar();
              })
            : await exportar();
        const total = somas.reduce((soma, { linhas }) => soma + linhas, 0);
        sessao.mostrar(json, { id, arquivo, linhas: total, tabelas: somas }, [
          ...tabelas(somas),
          `Provedor ${id} está em ${arquivo}: ${contar(total, 'linha', 'linhas')}. Tem dados pessoais e segredos cifrados.`,
          ...(parar === true ? [`Aqui só se lê. Em serviço na outra célula: malha provedor largar ${id}.`] : []),
        ]);
      });
    });

  comando(provedor.command('importar'))
    .usage('<arquivo> [opções]')
    .description('carrega nesta célula o provedor de um arquivo de malha provedor exportar; veja docs/celulas.md')
    .argument('<arquivo>', 'arquivo')
    .option('--parado', 'deixa o provedor parado: só se lê, e nada se faz por ele, até malha provedor assumir')
    .option('--json', 'responde em JSON')
    .action(async (arquivo: string, { parado = false, json }: { parado?: boolean; json?: boolean }) => {
      await comDono(sessao, async (dono, { chavesMestras, esquecimento }) => {
        if (!(await stat(arquivo).catch(() => null))?.isFile()) {
          throw new EntradaInvalida(`arquivo: não foi possível ler ${arquivo}`);
        }
        const abrir = (): AsyncGenerator<string> => linhasDe(arquivo);
        const conferido = await conferirArquivo(abrir);
        await importarProvedor(dono, conferido, abrir);
        const { provedor: id } = conferido.cabecalho;
        const fechados = await tabelasFechadas(dono, chavesMestras(), id);
        if (fechados.length > 0) sessao.tela.escrever(avisoDosFechados(fechados));
        if (!parado) {
          await assumir({ origem: dono, destino: null }, id);
          await esquecimento.esquecer(TERMINAL, id);
        }
        const { somas } = conferido;
        const linhas = somas.reduce((soma, uma) => soma + uma.linhas, 0);
        sessao.mostrar(json, { id, linhas, parado, segredos_fechados: fechados, tabelas: somas }, [
          ...tabelas(somas),
          `Provedor ${id} carregado e conferido: ${contar(linhas, 'linha', 'linhas')}.`,
          parado
            ? `Está parado: só se lê, e nada se faz por ele. Em serviço: malha provedor assumir ${id}.`
            : 'Está em serviço.',
        ]);
      });
    });
}

/** What a person is told of it: what is sealed by a key that this cell lacks is of no use here. */
const avisoDosFechados = (tabelas: readonly string[]): string =>
  `ATENÇÃO: há segredos cifrados com outra chave mestra em ${tabelas.join(', ')}. Nada os abre aqui: ponha a da outra célula em MALHA_CHAVE_MESTRA_ANTERIORES, ou cadastre-os de novo.\n`;

const tabelas = (somas: readonly Soma[]): string[] => {
  const linhas = new Map<string, number>();
  for (const { tabela, linhas: n } of somas) linhas.set(tabela, (linhas.get(tabela) ?? 0) + n);
  return colunas([...linhas].filter(([, n]) => n > 0).map(([tabela, n]) => [tabela, String(n)]));
};

/** Whoever can read it has people's data. A file that was there stays as it is, and one that is not whole does not. */
async function escrever(arquivo: string, linhas: AsyncIterable<string>): Promise<void> {
  const novo = await open(arquivo, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new EntradaInvalida(
      error.code === 'EEXIST' ? `arquivo: ${arquivo} já existe` : `arquivo: não foi possível criar ${arquivo}`,
    );
  });
  try {
    // Whatever the umask says.
    await novo.chmod(0o600);
    await pipeline(Readable.from(comQuebras(linhas)), createGzip(), novo.createWriteStream({ flush: true }));
  } catch (error) {
    await rm(arquivo, { force: true });
    throw error;
  }
}

async function* comQuebras(linhas: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const linha of linhas) yield `${linha}\n`;
}

/** Lines end by a line feed alone: a text may hold other marks that break lines. */
async function* linhasDe(arquivo: string): AsyncGenerator<string> {
  const texto = new StringDecoder('utf8');
  const fonte = createReadStream(arquivo);
  const bytes = createGunzip();
  fonte.on('error', (error) => bytes.destroy(error)).pipe(bytes);
  let resto = '';
  try {
    for await (const pedaco of bytes as AsyncIterable<Buffer>) {
      const partes = (resto + texto.write(pedaco)).split('\n');
      resto = partes.pop() ?? '';
      yield* partes;
    }
    if (resto !== '') yield resto;
  } finally {
    fonte.destroy();
    bytes.destroy();
  }
}

async function comDono(sessao: Sessao, fazer: (dono: Db, servicos: Servicos) => Promise<void>): Promise<void> {
  await sessao.comContainer(async (servicos) => {
    const dono = servicos.comoDono();
    try {
      await fazer(dono, servicos);
    } finally {
      await dono.destroy();
    }
  });
}
