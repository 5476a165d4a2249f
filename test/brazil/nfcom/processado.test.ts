import test from 'ava';
import { montarProcessado } from '../../../src/brazil/nfcom/autoridade/processado.ts';

const CHAVE = '3'.repeat(44);
const PROTOCOLO = {
  cStat: '100',
  motivo: 'Autorizado',
  chave: CHAVE,
  ambiente: '2',
  aplicativo: 'X',
  recebidaEm: '2026-11-20T12:00:00-03:00',
  numero: '3432600000000017',
  digest: null,
  fisco: null,
};
const SEU = `<protNFCom versao="1.00"><infProt><chNFCom>${CHAVE}</chNFCom></infProt></protNFCom>`;
const MUITO = 8 * 1024 * 1024;

// Anybody may have written an answer: it is read once, however it is made, and however long it is.
for (const [nome, lixo] of Object.entries({
  'o começo de um protocolo, muitas vezes': '<protNFCom x',
  'muitas versões de um protocolo': 'versao="',
  'muitos protocolos sem fim': '<protNFCom versao="1.00">',
})) {
  test(`o protocolo é achado entre o que mais venha na resposta: ${nome}`, (t) => {
    const mau = `<!-- <protNFCom ${lixo.repeat(Math.floor(MUITO / lixo.length))} -->`;
    const processado = montarProcessado('<NFCom></NFCom>', `<retNFCom>${mau}${SEU}</retNFCom>`, PROTOCOLO);
    t.true(processado.endsWith(`<NFCom></NFCom>${SEU}</nfcomProc>`));
  });
}
