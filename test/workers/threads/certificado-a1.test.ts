import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import test from 'ava';
import forge from 'node-forge';
import { faltaDoCertificado } from '../../../src/brazil/nfcom/assinatura/certificado.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import type { ArquivoPfx, CertificadoA1, CertificadoLido } from '../../../workers/threads/certificado-a1/contract.ts';
import { pfxDeTeste } from '../../support/nfcom/certificados.ts';
import { amostra, SENHA_DA_AMOSTRA } from '../../support/nfcom/notas.ts';

const threads = createThreads({ maxThreads: 1 });

test.after.always(() => threads.close());

const ler = (pfx: Uint8Array, senha = 'segredo'): Promise<CertificadoLido> =>
  threads.run<ArquivoPfx, CertificadoLido>('certificado-a1', { pfx, senha }, AbortSignal.timeout(30_000));

async function certificadoDe(pfx: Uint8Array, senha?: string): Promise<CertificadoA1> {
  const lido = await ler(pfx, senha);
  if (!lido.certo) throw new Error(lido.motivo);
  return lido.certificado;
}

test('um certificado se lê com a sua chave e os seus emissores, seja qual for a cifra do arquivo', async (t) => {
  const arquivos: readonly (readonly [pfx: Uint8Array, senha: string])[] = [
    [amostra('test-a1.pfx'), SENHA_DA_AMOSTRA],
    [amostra('test-a1-legacy-rc2.pfx'), SENHA_DA_AMOSTRA],
    [pfxDeTeste(), 'segredo'],
    [pfxDeTeste({ cifra: 'aes256', senha: 'çã€ 1' }), 'çã€ 1'],
  ];
  for (const [pfx, senha] of arquivos) {
    const lido = await certificadoDe(pfx, senha);
    t.is(lido.cnpj, '11222333000181');
    t.is(lido.titular, 'PROVEDOR TESTE LTDA:11222333000181');
    const certificado = new X509Certificate(lido.certificadoPem);
    t.true(certificado.checkPrivateKey(createPrivateKey(lido.chavePem)));
    t.is(lido.validoAte.getTime(), Date.parse(certificado.validTo));
    // The leaf, then who issued it; TLS takes key and chain as they are.
    const [, emissor] = lido.cadeiaPem.match(/-----BEGIN[^]*?-----END CERTIFICATE-----/g) ?? [];
    t.true(certificado.verify(createPublicKey(emissor!)));
    t.notThrows(() => createSecureContext({ key: lido.chavePem, cert: lido.cadeiaPem }));
  }
});

test('o CNPJ vem da extensão da ICP-Brasil, e na falta dela do nome do titular', async (t) => {
  const cnpjDe = async (como: Parameters<typeof pfxDeTeste>[0]): Promise<string | null> =>
    (await certificadoDe(pfxDeTeste(como))).cnpj;
  t.is(await cnpjDe({ titular: 'OUTRA:99999999000191', cnpj: '12ABC34501DE35' }), '12ABC34501DE35');
  t.is(await cnpjDe({ titular: 'OUTRA:12ABC34501DE35', cnpj: null }), '12ABC34501DE35');
  t.is(await cnpjDe({ titular: 'FULANO:52998224725', cnpj: null }), null);
});

test('senha errada, arquivo que não é certificado e arquivo sem a chave dele são recusados, cada um pelo seu nome', async (t) => {
  t.deepEqual(await ler(pfxDeTeste(), 'outra'), { certo: false, motivo: 'senha_errada' });
  t.deepEqual(await ler(amostra('test-a1-legacy-rc2.pfx'), ''), { certo: false, motivo: 'senha_errada' });
  const pfx = pfxDeTeste();
  for (const lixo of [Buffer.alloc(0), Buffer.from('não é um certificado'), pfx.slice(0, 900), Buffer.alloc(300_000)]) {
    t.deepEqual(await ler(lixo), { certo: false, motivo: 'arquivo_invalido' });
  }
  t.deepEqual(await ler(pfxDeTeste({ chaveAlheia: true })), { certo: false, motivo: 'sem_chave' });
});

test('um arquivo que pede uma conta sem fim não prende o processo: quem mandou ler desiste', async (t) => {
  const asn1 = forge.asn1.fromDer(Buffer.from(pfxDeTeste()).toString('latin1'));
  // macData: the number of times that the password is hashed, before anything else is known.
  const mac = (asn1.value as forge.asn1.Asn1[])[2]!;
  (mac.value as forge.asn1.Asn1[])[2]!.value = forge.asn1.integerToDer(0x7f_ff_ff_ff).getBytes();
  const pfx = Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
  const lendo = threads.run<ArquivoPfx, CertificadoLido>(
    'certificado-a1',
    { pfx, senha: 'segredo' },
    AbortSignal.timeout(300),
  );
  await t.throwsAsync(lendo);
  t.is((await certificadoDe(pfxDeTeste())).cnpj, '11222333000181');
});

test('vencido, ainda não válido, sem CNPJ e de outra empresa não assinam; de outra filial assina', (t) => {
  const certificado = {
    cnpj: '11222333000181',
    validoDesde: new Date('2026-01-01T00:00:00Z'),
    validoAte: new Date('2027-01-01T00:00:00Z'),
  };
  const falta = (mudado: object, emitente = '11222333000181', agora = '2026-11-20T10:00:00Z'): string | null =>
    faltaDoCertificado({ ...certificado, ...mudado }, emitente, new Date(agora));
  t.is(falta({}), null);
  t.is(falta({}, '11222333000262'), null);
  t.is(falta({}, '11222334000181'), 'de_outra_empresa');
  t.is(falta({ cnpj: null }), 'sem_cnpj');
  t.is(falta({}, undefined, '2027-01-01T00:00:01Z'), 'vencido');
  t.is(falta({}, undefined, '2025-12-31T23:59:59Z'), 'ainda_nao_vale');
});
