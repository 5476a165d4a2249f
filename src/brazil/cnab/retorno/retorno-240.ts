import { centavos } from '../../dinheiro/dinheiro.ts';
import { RetornoRecusado, type BancoComCnab, type Ocorrencia, type Retorno } from '../convenio.types.ts';
import { lerRegistro, type Registro } from '../layout.ts';
import { registros240 } from '../registros.ts';
import { classeDoMovimento, textoDoMotivo, textoDoMovimento } from './classes.ts';
import {
  Linha,
  comoOcorrencia,
  diaDoMovimento,
  ehDinheiro,
  paresDeMotivos,
  semDigito,
  vencimentoDaLinha,
} from './leitura.ts';

/** Reads the lines of a retorno of CNAB 240. @throws {RetornoRecusado} */
export function lerLinhas240(linhas: readonly string[], banco: BancoComCnab): Retorno {
  const registros = registros240(banco);
  const ler = (n: number, registro: Registro): Linha => new Linha(n + 1, lerRegistro(registro, linhas[n] ?? ''));
  const header = ler(0, registros('headerArquivo'));
  const detalhes = conferirEstrutura(linhas, banco);
  const ocorrencias: Ocorrencia[] = [];
  for (let i = 0; i < detalhes.length; i += 1) {
    const n = detalhes[i] ?? 0;
    const segmento = linhas[n]?.charAt(13);
    if (segmento === 'U') throw new RetornoRecusado(n + 1, 'segmento U sem o T antes dele');
    if (segmento !== 'T') continue;
    const seguinte = detalhes[i + 1];
    if (seguinte !== n + 1 || linhas[seguinte]?.charAt(13) !== 'U') {
      throw new RetornoRecusado(n + 2, 'falta o segmento U depois do T');
    }
    i += 1;
    ocorrencias.push(ocorrencia(banco, n, ler(n, registros('segmentoT')), ler(n + 1, registros('segmentoU'))));
  }
  return {
    banco,
    formato: '240',
    agencia: header.digitos('agencia'),
    conta: header.digitos('conta') || header.digitos('codigoBeneficiario'),
    convenio: banco === '001' ? header.digitos('convenio') : header.digitos('codigoBeneficiario'),
    cnpj: header.digitos('inscricaoEmpresa'),
    sequencial: Number(header.digitos('nsa')),
    gravadoEm: header.dataOuNada('dataGeracao'),
    ocorrencias,
  };
}

/** Batches and counts. The indices of the detail lines, in order. */
function conferirEstrutura(linhas: readonly string[], banco: string): number[] {
  const detalhes: number[] = [];
  const recusar = (n: number, motivo: string): never => {
    throw new RetornoRecusado(n + 1, motivo);
  };
  const ultima = linhas.length - 1;
  let [lotes, loteAberto, desde, sequencial]: [number, string | null, number, number] = [0, null, 0, 0];
  linhas.forEach((linha, n) => {
    const [lote, tipo] = [linha.slice(3, 7), linha.charAt(7)];
    if (linha.slice(0, 3) !== banco) recusar(n, 'é de outro banco que o do começo do arquivo');
    if (n === 0) return;
    if (n === ultima) {
      if (tipo !== '9' || loteAberto !== null) recusar(n, 'o arquivo termina sem o trailer');
    } else if (tipo === '1') {
      if (loteAberto !== null) recusar(n, 'começa um lote dentro de outro');
      if (linha.charAt(8) !== 'T') recusar(n, 'o lote não é de retorno');
      [lotes, loteAberto, desde, sequencial] = [lotes + 1, lote, n, 0];
    } else if (tipo === '3') {
      if (lote !== loteAberto) recusar(n, 'o registro está fora do seu lote');
      sequencial += 1;
      if (linha.slice(8, 13) !== String(sequencial).padStart(5, '0')) {
        recusar(n, `a sequência do lote devia ser ${sequencial}`);
      }
      detalhes.push(n);
    } else if (tipo === '5') {
      if (lote !== loteAberto) recusar(n, 'o trailer é de outro lote');
      const contados = n - desde + 1;
      const ditos = linha.slice(17, 23);
      // Santander counts the details alone.
      const servem = banco === '033' ? [contados, contados - 2] : [contados];
      if (!servem.some((servido) => ditos === String(servido).padStart(6, '0'))) {
        recusar(n, `o lote tem ${contados} registros, e o trailer diz outro número`);
      }
      loteAberto = null;
    } else {
      recusar(n, tipo === '9' ? 'o trailer do arquivo não está no fim' : 'o tipo do registro não se conhece');
    }
  });
  const trailer = linhas[ultima] ?? '';
  // Santander repeats the number of the batch.
  if (banco !== '033' && trailer.slice(3, 7) !== '9999') recusar(ultima, 'o trailer do arquivo não tem o lote 9999');
  if (trailer.slice(17, 23) !== String(lotes).padStart(6, '0'))
    recusar(ultima, `o arquivo tem ${lotes} lotes, e o trailer diz outro número`);
  if (trailer.slice(23, 29) !== String(linhas.length).padStart(6, '0')) {
    recusar(ultima, `o arquivo tem ${linhas.length} linhas, e o trailer diz outro número`);
  }
  return detalhes;
}

function ocorrencia(banco: BancoComCnab, n: number, t: Linha, u: Linha): Ocorrencia {
  const movimento = t.texto('codigoMovimento');
  if (!/^\d\d$/.test(movimento)) t.recusar('o movimento não é de dois algarismos');
  if (u.texto('codigoMovimento') !== movimento) u.recusar('o movimento não é o do segmento T');
  const classe = classeDoMovimento(banco, '240', movimento);
  const inicio = {
    linha: n + 1,
    movimento,
    texto: textoDoMovimento(banco, '240', movimento),
    classe,
    nossoNumero: semDigito(banco, t.digitos('nossoNumero')),
    usoEmpresa: t.textoOuNada('usoEmpresa'),
    numeroDocumento: t.texto('numeroDocumento'),
  };
  return comoOcorrencia(inicio, () => {
    const pago = u.valor('valorPago');
    const pagoEm = diaDoMovimento(u, classe, 'dataOcorrencia', pago);
    return {
      vencimento: vencimentoDaLinha(t, classe),
      valorTitulo: t.valor('valor'),
      valorPago: ehDinheiro({ classe }) ? pago : centavos(0),
      tarifa: t.valor('tarifa'),
      pagoEm,
      creditadoEm: u.dataOuNada('dataCredito'),
      motivos: paresDeMotivos(t.texto('motivos').padStart(10)).map((codigo) => ({
        codigo,
        texto: textoDoMotivo(classe, codigo),
      })),
      pix: null,
    };
  });
}
