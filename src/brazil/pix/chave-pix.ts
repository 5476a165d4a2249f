import { getPixKeyInfo } from '@brazilian-utils/brazilian-utils/get-pix-key-info';
import { telefoneValido } from '../pessoa/telefone.ts';

/**
 * A chave PIX na forma em que o DICT a guarda e o BR Code a leva: CPF ou CNPJ sem pontuação, e-mail em minúsculas (até
 * 77 caracteres), celular como '+5511987654321', ou chave aleatória em minúsculas (Manual de Padrões para Iniciação do
 * PIX, formatação das chaves do DICT no BR Code). Aceita a pontuação usual. Null para qualquer outro texto, e para um
 * celular sem o +55, que se confunde com um CPF.
 */
export function normalizarChavePix(texto: string): string | null {
  const lida = getPixKeyInfo(texto);
  if (lida?.type !== 'phone') return lida?.value ?? null;
  // A biblioteca sozinha não basta: lê como celular um CPF de dígitos trocados, e o dinheiro iria a um estranho.
  const escrito = texto.trim().replace(/[-(). ]/g, '');
  return escrito === lida.value && telefoneValido(escrito.slice(1)) ? escrito : null;
}
