import { bem, mal } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { NAO_VALE_COMO_ESTA, login, passaPeloFiltro, senhaDaLinha, valeComoEsta } from '../../campos/leitores.ts';
import type { Registro } from './registro.ts';

// What works on a network today goes on working: of what comes in only that is refused which FreeRADIUS, or a column, cannot hold. What
// is typed here is held to less, by the readers of the forms.

/** As `contratos.login` holds it, and stock FreeRADIUS lets it through (`policy.d/filter`: no white space). */
export const loginImportado: Leitor<string> = (valor) =>
  typeof valor === 'string' && /^[^\s\p{C}]{1,64}$/u.test(valor)
    ? bem(valor)
    : mal('deve ter de 1 a 64 letras, números e sinais, sem espaços');

/** As `radcheck.value` holds it, and FreeRADIUS compares it. */
export const senhaImportada: Leitor<string> = (valor) => {
  if (typeof valor !== 'string' || !/^\P{C}{1,128}$/u.test(valor)) {
    return mal('deve ter de 1 a 128 letras, números e sinais');
  }
  return valeComoEsta(valor) ? bem(valor) : mal(NAO_VALE_COMO_ESTA);
};

/** Says of a login and a password that came in what may be wrong with them. */
export function avisarDoAcesso(
  registro: Registro,
  dito: { readonly login?: string | null | undefined; readonly senha?: string | null | undefined },
): void {
  if (typeof dito.login === 'string') {
    if (!passaPeloFiltro(dito.login))
      registro.avisar('login', 'entra como está; o FreeRADIUS de fábrica o recusa (filter_username)');
    else if (!('valor' in login(dito.login)))
      registro.avisar(
        'login',
        'entra como está; o FreeRADIUS de fábrica o procura escrito de outro modo (safe_characters)',
      );
  }
  if (typeof dito.senha === 'string' && !('valor' in senhaDaLinha(dito.senha)))
    registro.avisar('senha', 'entra como está; é fraca, ou tem sinais que nem todo NAS envia');
}
