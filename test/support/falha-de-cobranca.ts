import type { Api } from './api.ts';

/**
 * From now on the database refuses to write charges that meet a condition of `NEW`, with a message that no log and no page may show;
 * resolves to what mends it, which may be called twice.
 */
export async function falharCobrancas(
  { dono }: Pick<Api, 'dono'>,
  quando: 'INSERT' | 'UPDATE',
  condicao: string,
): Promise<() => Promise<void>> {
  await dono.raw('DROP TRIGGER IF EXISTS falha_de_teste');
  await dono.raw(
    `CREATE TRIGGER falha_de_teste BEFORE ${quando} ON faturamento_cobrancas FOR EACH ROW
     IF ${condicao} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Ana Lima, 111.444.777-35'; END IF`,
  );
  return async () => void (await dono.raw('DROP TRIGGER IF EXISTS falha_de_teste'));
}
