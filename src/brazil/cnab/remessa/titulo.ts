import { BOLETO_MAXIMO } from '../../boleto/boleto.ts';
import { diasEntre, lerData } from '../../calendario/datas.ts';
import { cpfCnpjValido } from '../../pessoa/cpf-cnpj.ts';
import { UFS } from '../../pessoa/endereco.ts';
import { ajustesDe } from '../ajustes.ts';
import { RemessaInvalida, type Convenio, type MovimentoDeRemessa, type Titulo } from '../convenio.types.ts';
import { formaDoNossoNumero } from '../nosso-numero.ts';
import { nomeQueCabe, textoDoBanco } from '../texto.ts';

/** Itaú's room for the payer's name; others have 40. */
export const posicoesDoNome = (banco: Convenio['banco']): number => (banco === '341' ? 30 : 40);

/** The code of a movement in the bank's remessa; null where the bank takes none by file. */
export function codigoDoMovimento(convenio: Convenio, movimento: MovimentoDeRemessa): string | null {
  const { hibrido, movimentoDeValor } = ajustesDe(convenio);
  if (movimento === 'entrada') return convenio.banco === '341' && hibrido ? '71' : '01';
  if (convenio.banco === '077') return null;
  if (movimento === 'valor') return movimentoDeValor === '' ? null : movimentoDeValor;
  return movimento === 'baixa' ? '02' : '06';
}

/** @throws {RemessaInvalida} for the first thing that the bank would refuse, or that does not fit. */
export function conferirTitulo(convenio: Convenio, titulo: Titulo, indice: number): void {
  const exigir = (vale: boolean, campo: string, motivo: string): void => {
    if (!vale) throw new RemessaInvalida({ indice, usoEmpresa: titulo.usoEmpresa, campo, motivo });
  };
  const { pagador, movimento, nossoNumero, valor } = titulo;
  exigir(/^[A-Za-z0-9]{1,25}$/.test(titulo.usoEmpresa), 'usoEmpresa', 'tem de 1 a 25 letras e algarismos');
  exigir(
    codigoDoMovimento(convenio, movimento) !== null,
    'movimento',
    'este banco não recebe esse movimento por arquivo',
  );
  const semNumero = nossoNumero === '' && movimento === 'entrada' && ajustesDe(convenio).numeracao === 'banco';
  exigir(semNumero || formaDoNossoNumero(convenio.banco, nossoNumero), 'nossoNumero', 'não tem a forma deste banco');
  exigir(/^[A-Za-z0-9./-]{1,10}$/.test(titulo.numeroDocumento), 'numeroDocumento', 'tem de 1 a 10 letras e algarismos');
  exigir(Number.isSafeInteger(valor) && valor > 0 && valor <= BOLETO_MAXIMO, 'valor', 'vai de 0,01 a 99.999.999,99');
  exigir(lerData(titulo.emissao) !== null, 'emissao', 'não é uma data');
  exigir(lerData(titulo.vencimento) !== null, 'vencimento', 'não é uma data');
  exigir(diasEntre(titulo.emissao, titulo.vencimento) >= 0, 'vencimento', 'é antes da emissão');
  exigir(
    titulo.txid === null || /^[A-Za-z0-9]{26,35}$/.test(titulo.txid),
    'txid',
    'tem de 26 a 35 letras e algarismos',
  );
  exigir(/^\d+$/.test(pagador.documento), 'pagador.documento', motivoDoDocumento(pagador.documento));
  exigir(cpfCnpjValido(pagador.documento), 'pagador.documento', 'não é um CPF nem um CNPJ');
  // Of a title that it has, the bank knows who pays.
  if (movimento !== 'entrada') return;
  const posicoes = posicoesDoNome(convenio.banco);
  exigir(/[A-Z]/.test(textoDoBanco(pagador.nome)), 'pagador.nome', 'não tem letras que os bancos leiam');
  exigir(
    nomeQueCabe(pagador.nome, posicoes) !== null,
    'pagador.nome',
    `não cabe em ${posicoes} posições, nem abreviado`,
  );
  exigir(textoDoBanco(pagador.logradouro) !== '', 'pagador.logradouro', 'falta');
  exigir(textoDoBanco(pagador.cidade) !== '', 'pagador.cidade', 'falta');
  exigir(/^\d{8}$/.test(pagador.cep), 'pagador.cep', 'tem 8 dígitos');
  exigir(UFS.includes(pagador.uf), 'pagador.uf', 'não é uma UF');
}

function motivoDoDocumento(documento: string): string {
  return /[A-Za-z]/.test(documento)
    ? 'CNPJ com letras: ainda não se sabe como os bancos o recebem no CNAB'
    : 'não é um CPF nem um CNPJ';
}
