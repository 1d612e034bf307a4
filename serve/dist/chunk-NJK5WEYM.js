import{t as m}from"./chunk-ZW7AVMDM.js";import{m as e}from"./chunk-LTUHXR7C.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
