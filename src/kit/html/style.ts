/**
 * The style sheet of every page. It is made for phones first; contrast is at least 4.5:1, and touch targets are 44 px.
 */
export const STYLE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;color-scheme:light}
body{margin:0;background:#eef1f4;color:#1b2430;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header{background:var(--cor);color:var(--sobre);padding:1rem}
header p{display:flex;gap:.75rem;align-items:center;max-width:36rem;margin:0 auto;font-size:1.125rem;font-weight:700}
header img{max-width:40%;padding:.25rem;border-radius:.375rem;background:#fff}
main{max-width:36rem;margin:0 auto;padding:1.25rem 1rem 3rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}
h2{margin:0 0 .5rem;font-size:1.125rem}
p{margin:0 0 .75rem}
a{color:#0a4a8f}
fieldset{min-width:0;margin:1rem 0 0;padding:1rem;border:0;border-radius:.5rem;background:#fff}
legend{float:left;width:100%;margin-bottom:.25rem;padding:0;font-size:1.125rem;font-weight:700}
legend+*{clear:both}
fieldset fieldset{margin:.75rem 0 0;padding:0}
fieldset fieldset legend{font-size:1rem;font-weight:600}
.campo{margin-top:.75rem}
label{display:block;font-weight:600}
.dica{display:block;margin:0;color:#4a5665;font-size:1rem;font-weight:400}
input,select,button{width:100%;min-height:48px;padding:.5rem .75rem;border:1px solid #5f6b7a;border-radius:.375rem;background:#fff;color:inherit;font:inherit}
input,select{margin-top:.25rem}
:focus-visible{outline:3px solid #1769aa;outline-offset:2px}
input[aria-invalid=true],select[aria-invalid=true]{border:2px solid #b3261e}
.falta{margin:.25rem 0 0;color:#a31b14;font-weight:600}
.aviso{margin:0 0 1rem;padding:1rem;border:2px solid #b3261e;border-radius:.5rem;background:#fff}
.aviso ul{margin:0;padding:0;list-style:none}
.aviso li a{display:block;padding:.625rem 0;color:#a31b14}
.par{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,2fr);gap:0 .75rem;align-items:end}
.opcao{display:flex;gap:.75rem;align-items:flex-start;min-height:48px;margin-top:.5rem;padding:.625rem .75rem;border:1px solid #5f6b7a;border-radius:.375rem;font-weight:400}
.opcao input{flex:none;width:24px;height:24px;min-height:0;margin:0;accent-color:var(--borda)}
.opcao strong{display:block}
.plano{margin:.5rem 0 0}
button,.botao{margin-top:1.25rem;border:2px solid var(--borda);background:var(--cor);color:var(--sobre);font-weight:700;cursor:pointer}
.botao{display:flex;justify-content:center;align-items:center;min-height:48px;padding:.5rem .75rem;border-radius:.375rem;text-align:center;text-decoration:none}
.outro{background:#fff;color:#1b2430;border-color:#5f6b7a}
button[aria-disabled=true]{background:#4a5665;color:#fff;border-color:#4a5665}
.sobra{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
section>button:first-child{margin-top:0}
ol{margin:0 0 .75rem;padding-left:1.25rem}
.dica:last-child{margin-top:.75rem}
section{margin:1rem 0 0;padding:1rem;border-radius:.5rem;background:#fff}
.total{margin:0;font-size:2rem;font-weight:700;line-height:1.25}
dl{display:grid;grid-template-columns:auto 1fr;gap:.375rem 1rem;margin:0}
dt{color:#4a5665}
dd{margin:0;text-align:right}
dl .soma{padding-top:.375rem;border-top:1px solid #5f6b7a;color:inherit;font-weight:700}
figure{margin:1rem 0 0;text-align:center}
figure svg{display:block;width:100%;max-width:18rem;height:auto;margin:0 auto;background:#fff}
figcaption{color:#4a5665}
textarea{width:100%;margin-top:.25rem;padding:.5rem .75rem;border:1px solid #5f6b7a;border-radius:.375rem;background:#fff;color:inherit;font:1rem/1.4 ui-monospace,Menlo,Consolas,monospace;word-break:break-all;resize:none}
.dito{min-height:1.5em;margin:.5rem 0 0;font-weight:600}
footer{max-width:36rem;margin:0 auto;padding:0 1rem 3rem}
footer ul{margin:0;padding:0;list-style:none}
footer a{display:inline-block;padding:.625rem 0}
`;
