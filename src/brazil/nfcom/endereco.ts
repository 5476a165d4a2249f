import type { Conferencia } from './base/conferencia.ts';
import type { EnderecoDaNota } from './base/nota.types.ts';
import { CODIGO_DA_UF } from './base/ufs.ts';
import { textoDaNota } from './base/texto.ts';
import { tag, tagOpcional, escapar } from './base/xml.ts';

const EMAIL = /^[^@]+@[^.]+\..+$/;

/**
 * The content of enderEmit or enderDest. `de` is said after each part: 'do cliente'. Phone and e-mail are left out when
 * they are not as the schema has them: no note is refused for them.
 */
export function escreverEndereco(c: Conferencia, endereco: EnderecoDaNota, campo: string, de: string): string {
  const { uf, codigoDoMunicipio: codigo, cep } = endereco;
  const prefixo = CODIGO_DA_UF.get(uf);
  c.conferir(prefixo !== undefined, 'endereco_incompleto', `${campo}.uf`, `Falta a UF do endereço ${de}.`);
  conferirMunicipio(c, codigo, prefixo, `${campo}.codigoDoMunicipio`, `do endereço ${de}`);
  c.conferir(/^\d{8}$/.test(cep), 'endereco_incompleto', `${campo}.cep`, `O CEP ${de} precisa de 8 algarismos.`);
  const parte = (nome: 'logradouro' | 'bairro' | 'municipio', rotulo: string): string =>
    escapar(c.texto(endereco[nome], { campo: `${campo}.${nome}`, rotulo: `${rotulo} ${de}`, minimo: 2, maximo: 60 }));
  const numero = c.textoOpcional(endereco.numero, {
    campo: `${campo}.numero`,
    rotulo: `O número do endereço ${de}`,
    maximo: 60,
  });
  const complemento = c.textoOpcional(endereco.complemento, {
    campo: `${campo}.complemento`,
    rotulo: `O complemento do endereço ${de}`,
    maximo: 60,
  });
  return (
    tag('xLgr', parte('logradouro', 'O logradouro')) +
    tag('nro', escapar(numero === null || numero === '' ? 'S/N' : numero)) +
    tagOpcional('xCpl', complemento) +
    tag('xBairro', parte('bairro', 'O bairro')) +
    tag('cMun', codigo ?? '') +
    tag('xMun', parte('municipio', 'O município')) +
    tag('CEP', cep) +
    tag('UF', uf) +
    tagOpcional('fone', telefone(endereco.telefone)) +
    tagOpcional('email', email(endereco.email))
  );
}

/** Refuses a municipality without IBGE's code, or whose code is not of the UF with this prefix. */
export function conferirMunicipio(
  c: Conferencia,
  codigo: string | null,
  prefixo: string | undefined,
  campo: string,
  de: string,
): void {
  if (codigo === null || !/^\d{7}$/.test(codigo)) {
    c.recusar('sem_municipio', campo, `Falta o código do IBGE do município ${de}.`);
  } else if (prefixo !== undefined && !codigo.startsWith(prefixo)) {
    c.recusar('municipio_de_outra_uf', campo, `O código do município ${de} é de outra UF.`);
  }
}

/** The digits of a phone, without a country's 55 before DDD and number; null when they are not 7 to 12. */
export function telefone(numero: string | null): string | null {
  const digitos = numero?.replace(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '') ?? '';
  return /^\d{7,12}$/.test(digitos) ? digitos : null;
}

/** An e-mail that the schema takes, else null. */
export function email(endereco: string | null): string | null {
  const limpo = textoDaNota(endereco ?? '');
  return limpo !== null && limpo.length <= 60 && EMAIL.test(limpo) ? limpo : null;
}
