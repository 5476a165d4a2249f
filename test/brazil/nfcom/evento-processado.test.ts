import test from 'ava';
import { envelope, evento } from '../../../seeds/autoridade/respostas.ts';
import { montarEventoProcessado } from '../../../src/brazil/nfcom/autoridade/evento-processado.ts';
import { semDeclaracao } from '../../../src/brazil/nfcom/autoridade/soap.ts';
import { xmllint, xmlsec1 } from '../../support/nfcom/juizes.ts';
import { amostra } from '../../support/nfcom/notas.ts';

const ASSINADO = amostra('07-evento-cancelamento.xml').toString().trim();
const CHAVE = /<chNFCom>(\d{44})/.exec(ASSINADO)?.[1] ?? '';
const NFCOM = 'http://www.portalfiscal.inf.br/nfcom';
const registro = (mudar: object = {}) =>
  evento({
    ambiente: '2',
    cStat: '135',
    motivo: 'Evento registrado e vinculado a NFCom',
    chave: CHAVE,
    protocolo: '3432600000000017',
    em: '2026-11-20T12:00:00-03:00',
    ...mudar,
  });
const naConsulta = (dentro: string) =>
  `<retConsSitNFCom versao="1.00" xmlns="${NFCOM}"><tpAmb>2</tpAmb><verAplic>X</verAplic><cStat>101</cStat>` +
  `<xMotivo>Cancelada</xMotivo><cUF>43</cUF>${dentro}</retConsSitNFCom>`;
const processado = (dentro: string) => `<procEventoNFCom versao="1.00">${dentro}</procEventoNFCom>`;
const DE_FORA = registro().replaceAll('110111', '240170');

for (const [nome, resposta] of Object.entries({
  'a resposta ao evento': envelope(registro(), false),
  'a resposta com prefixos': envelope(registro(), true),
  'a consulta da nota': envelope(naConsulta(processado(DE_FORA) + processado(registro())), false),
  'a consulta com prefixos': envelope(naConsulta(processado(registro())), true),
})) {
  test(`o cancelamento com o seu registro vale pelos dois esquemas, e o assinado fica como estava: ${nome}`, async (t) => {
    const xml = montarEventoProcessado(ASSINADO, resposta) ?? '';
    t.true(xml.includes(semDeclaracao(ASSINADO)));
    t.regex(xml, /<retEventoNFCom[^]*<tpEvento>110111<\/tpEvento>[^]*<nProt>3432600000000017<\/nProt>/);
    t.notRegex(xml, /240170/);
    for (const pacote of ['NT2025.001', 'NT2026.002'] as const) {
      t.is(await xmllint([xml], pacote, 'procEventoNFCom'), null);
    }
    t.is(await xmlsec1([xml], 'infEvento'), null);
  });
}

test('do evento que outro programa fez vale o que a autoridade traz; sem registro, ou sem evento, não há documento', async (t) => {
  const deOutro = semDeclaracao(ASSINADO);
  const trazido = envelope(naConsulta(processado(deOutro + registro())), false);
  const xml = montarEventoProcessado(null, trazido) ?? '';
  t.true(xml.includes(deOutro));
  t.is(await xmllint([xml], 'NT2025.001', 'procEventoNFCom'), null);
  t.is(montarEventoProcessado(null, envelope(registro(), false)), null);
  t.is(montarEventoProcessado(ASSINADO, envelope(registro({ cStat: '631' }), false)), null);
  t.is(montarEventoProcessado(ASSINADO, envelope(naConsulta(processado(DE_FORA)), false)), null);
  t.is(montarEventoProcessado(ASSINADO, 'Bad Gateway'), null);
});
