import{t as m}from"./chunk-N3Q2SJKF.js";import{m as e}from"./chunk-XAAJTMKL.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
