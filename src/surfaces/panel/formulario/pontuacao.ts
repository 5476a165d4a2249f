import { escreverCpfCnpj, escreverTelefone } from '../../../brazil/dinheiro/escrita.ts';
import { normalizarCpfCnpj } from '../../../brazil/pessoa/cpf-cnpj.ts';
import { normalizarCep } from '../../../brazil/pessoa/endereco.ts';
import { lerTelefone } from '../../../brazil/pessoa/telefone.ts';

// What is kept without punctuation, as a form that changes it shows it. What would not be read as the same again stays as it is kept.

/** A CPF or CNPJ with its punctuation. */
export function documentoNoCampo(guardado: string): string {
  const numero = normalizarCpfCnpj(guardado.trim());
  return numero === null ? guardado : escreverCpfCnpj(numero);
}

/** A phone number with its punctuation. */
export function telefoneNoCampo(guardado: string): string {
  const numero = lerTelefone(guardado);
  return numero === null || numero !== guardado.replaceAll(/\D/g, '') ? guardado : escreverTelefone(numero);
}

/** A CEP with its hyphen. */
export function cepNoCampo(guardado: string): string {
  const cep = normalizarCep(guardado);
  return cep === null ? guardado : `${cep.slice(0, 5)}-${cep.slice(5)}`;
}

/** Some fields of a form with their punctuation; the others as they are. */
export const pontuado =
  (documentos: readonly string[], telefones: readonly string[] = []) =>
  (nome: string, valor: string): string => {
    if (documentos.includes(nome)) return documentoNoCampo(valor);
    return telefones.includes(nome) ? telefoneNoCampo(valor) : valor;
  };
