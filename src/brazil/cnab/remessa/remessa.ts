import { conferirConvenio } from '../ajustes.ts';
import { lerData } from '../../calendario/datas.ts';
import { RemessaInvalida, type Remessa } from '../convenio.types.ts';
import { CampoNaoCabe } from '../layout.ts';
import { linhas240 } from './remessa-240.ts';
import { linhas400 } from './remessa-400.ts';
import { conferirTitulo } from './titulo.ts';

/**
 * The file of a remessa: ASCII, upper case, CRLF after each line. Nothing is cut but texts of the payer's address and
 * the middle of long names.
 * @throws {RemessaInvalida} for the first field of the agreement, or of a title, that the bank would not take; nothing is left out.
 */
export function escreverRemessa(remessa: Remessa): string {
  const { convenio, nsa, titulos } = remessa;
  const exigir = (vale: boolean, campo: string, motivo: string): void => {
    if (!vale) throw new RemessaInvalida({ indice: null, campo, motivo });
  };
  const [errado] = conferirConvenio(convenio);
  if (errado !== undefined) throw new RemessaInvalida({ indice: null, ...errado });
  exigir(Number.isInteger(nsa) && nsa > 0 && nsa <= 999_999, 'nsa', 'vai de 1 a 999999');
  exigir(lerData(remessa.hoje) !== null, 'hoje', 'não é uma data');
  exigir(/^(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/.test(remessa.hora), 'hora', 'tem a forma HHMMSS');
  exigir(titulos.length > 0, 'titulos', 'nenhum título');
  exigir(titulos.length <= 200_000, 'titulos', 'um arquivo leva até 200 mil títulos');
  const jaDitos = new Set<string>();
  titulos.forEach((titulo, indice) => {
    conferirTitulo(convenio, titulo, indice);
    const chave = `${titulo.movimento} ${titulo.nossoNumero}`;
    if (titulo.nossoNumero !== '' && jaDitos.has(chave)) {
      throw new RemessaInvalida({
        indice,
        usoEmpresa: titulo.usoEmpresa,
        campo: 'nossoNumero',
        motivo: 'repete o de outro título do arquivo',
      });
    }
    jaDitos.add(chave);
  });
  try {
    const linhas = convenio.formato === '240' ? linhas240(remessa) : linhas400(remessa);
    return linhas.map((linha) => `${linha}\r\n`).join('');
  } catch (erro) {
    // What is left is of the agreement: each title was looked at above.
    if (erro instanceof CampoNaoCabe)
      throw new RemessaInvalida({ indice: null, campo: erro.campo, motivo: erro.message });
    throw erro;
  }
}
