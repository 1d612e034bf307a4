function c(t,o,r){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([r],{type:o})),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e4)}export{c as a};
